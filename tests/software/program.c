/* SPDX-License-Identifier: BSD-3-Clause */
/* The C interface as C sees it: what the test asks for by --software-argument. */
#include <tlmetry/software/tlmetry.h>

#include <string.h>

/* Sleeps to the end of time in pieces, asking for too much in between. */
static int end_of_time(const struct tlmetry_card *card)
{
	static const uint64_t too_long_us[] = {5000000000u, 18446744074u, UINT64_MAX};
	const uint64_t end_ns = 4600000000000u;
	uint64_t before;
	uint32_t value = 0;
	size_t i;

	before = tlmetry_now_fs(card);
	if (tlmetry_sleep_us(card, 3000000000u) || tlmetry_now_fs(card) - before != 3000000000000000000u)
		return 8;
	while (tlmetry_now_ns(card) < end_ns) {
		before = tlmetry_now_fs(card);
		for (i = 0; i < sizeof(too_long_us) / sizeof(too_long_us[0]); i++)
			if (tlmetry_sleep_us(card, too_long_us[i]) == 0 || tlmetry_now_fs(card) != before)
				return 1;
		if (tlmetry_sleep_ns(card, UINT64_MAX) == 0 || tlmetry_sleep_ns(card, end_ns) == 0)
			return 2;
		if (tlmetry_sleep_ns(card, end_ns - tlmetry_now_ns(card) + 1) == 0)
			return 3;
		if (tlmetry_read32(card, 0, &value) || value != 0x50544c4d)
			return 4;
		if (tlmetry_error(card)[0] != '\0')
			return 5;
		if (tlmetry_sleep_us(card, 1000000000) != 0) {
			tlmetry_log(card, "%s", tlmetry_error(card));
			if (tlmetry_sleep_ns(card, end_ns - tlmetry_now_ns(card)) != 0)
				return 6;
		}
	}
	if (tlmetry_read32(card, 0, &value) == 0 || value != 0xffffffff)
		return 7;
	tlmetry_log(card, "%s", tlmetry_error(card));
	return tlmetry_write32(card, 0x28, 1) == 0 || tlmetry_sleep_ns(card, 1) == 0 || tlmetry_sleep_ns(card, 0) != 0;
}

/* Uses 7 MiB of stack. */
static int deep(const struct tlmetry_card *card)
{
	volatile char data[7 << 20];
	uint32_t value;
	size_t i;

	for (i = 0; i < sizeof(data); i += 4096)
		data[i] = 1;
	return tlmetry_read32(card, 0, &value) || data[4096] != 1;
}

int tlmetry_main(const struct tlmetry_card *card)
{
	uint32_t value = 0;
	uint8_t bytes[3];

	tlmetry_log(card, "version %u, argument '%s'", (unsigned)card->version, card->argument);
	if (strcmp(card->argument, "fail") == 0)
		return 7;
	if (strcmp(card->argument, "refused") == 0) {
		if (tlmetry_read32(card, 0x10000, &value) == 0 || value != 0xffffffff)
			return 1;
		tlmetry_log(card, "%s", tlmetry_error(card));
		return tlmetry_read32(card, 0, &value) || tlmetry_error(card)[0] != '\0';
	}
	if (strcmp(card->argument, "lines") == 0) {
		tlmetry_log(card, "one\ntwo\n");
		tlmetry_log(card, "%s", "");
		tlmetry_log(card, "\nfour\a\n\n");
		return 0;
	}
	if (strcmp(card->argument, "sleep") == 0) {
		while (tlmetry_sleep_us(card, 1000000) == 0)
			;
		return 0;
	}
	if (strcmp(card->argument, "poll") == 0) {
		while (tlmetry_read32(card, 0x24, &value) == 0)
			;
		tlmetry_log(card, "%s, 0x%08x", tlmetry_error(card), (unsigned)value);
		return 0;
	}
	if (strcmp(card->argument, "poll for ever") == 0) {
		for (;;)
			tlmetry_read32(card, 0x24, &value);
	}
	if (strcmp(card->argument, "stack") == 0)
		return deep(card);
	if (strcmp(card->argument, "end of time") == 0)
		return end_of_time(card);
	if (tlmetry_read32(card, 0, &value) || value != 0x50544c4d)
		return 1;
	if (tlmetry_read(card, 1, bytes, sizeof(bytes)) || memcmp(bytes, "LTP", 3) != 0)
		return 2;
	if (tlmetry_write32(card, 0x28, 1) || tlmetry_read32(card, 0x28, &value) || value != 1)
		return 3;
	if (tlmetry_write(card, 0x28, "", 1) || tlmetry_read32(card, 0x28, &value) || value != 0)
		return 4;
	/* 100 us before the program, four reads and two writes */
	if (tlmetry_now_fs(card) != 100100000000u || tlmetry_sleep_ns(card, 5) || tlmetry_now_ns(card) != 100105)
		return 5;
	if (card->device_tree_bytes < 100 || memcmp(card->device_tree, "\xd0\x0d\xfe\xed", 4) != 0)
		return 6;
	printf("all is well\n");
	fflush(stdout);
	return 0;
}
