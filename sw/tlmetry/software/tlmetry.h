/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Software inside a simulated platform, in C or C++:
 *
 *     #include <tlmetry/software/tlmetry.h>
 *
 *     int tlmetry_main(const struct tlmetry_card *t)
 *     {
 *         uint32_t magic;
 *
 *         if (tlmetry_read32(t, 0x0000, &magic))
 *             return 1;
 *         tlmetry_log(t, "MAGIC is 0x%08x", magic);
 *         return 0;
 *     }
 *
 *     $ cc -shared -fPIC -g -I PREFIX/include program.c -o program.so
 *     $ tlmetry run CONFIG.ini --software ./program.so
 *
 * Time is simulated: it passes during accesses and sleeps only, so a debugger may stop the program for as long as it
 * likes. Every function is to be called in the thread in which tlmetry_main() was. Its stack has 8 MiB.
 */
#ifndef TLMETRY_SOFTWARE_TLMETRY_H
#define TLMETRY_SOFTWARE_TLMETRY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TLMETRY_SOFTWARE_VERSION 1

/* The platform, through functions that later versions only add to; use those below. */
struct tlmetry_card {
	uint32_t version; /* TLMETRY_SOFTWARE_VERSION of the platform */
	void *platform;
	const char *argument; /* of --software-argument, "" without */
	const void *device_tree; /* a flattened device tree */
	size_t device_tree_bytes;
	int (*read)(void *platform, uint32_t address, void *data, uint32_t bytes);
	int (*write)(void *platform, uint32_t address, const void *data, uint32_t bytes);
	int (*sleep_fs)(void *platform, uint64_t duration_fs);
	uint64_t (*now_fs)(void *platform);
	void (*log)(void *platform, const char *text);
	const char *(*error)(void *platform);
};

/* The program's entry. 0: all is well; anything else: it is not, and the exit code of the run is 1. */
int tlmetry_main(const struct tlmetry_card *t);

/*
 * Accesses to the telemetry component; `address` is a byte offset from its base. Any number of bytes at any address,
 * in address order, become 32-bit accesses on the MI bus with byte enables. 0, or -1 when the bus has refused them,
 * simulated time is at its end or the user wants the run to end: then `data` is as before, and `value` all ones.
 */
static inline int tlmetry_read(const struct tlmetry_card *t, uint32_t address, void *data, uint32_t bytes)
{
	return t->read(t->platform, address, data, bytes);
}

static inline int tlmetry_write(const struct tlmetry_card *t, uint32_t address, const void *data, uint32_t bytes)
{
	return t->write(t->platform, address, data, bytes);
}

static inline int tlmetry_read32(const struct tlmetry_card *t, uint32_t address, uint32_t *value)
{
	uint8_t data[4];
	int result = t->read(t->platform, address, data, sizeof(data));

	*value = 0xffffffffu;
	if (result == 0)
		*value = data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
	return result;
}

static inline int tlmetry_write32(const struct tlmetry_card *t, uint32_t address, uint32_t value)
{
	uint8_t data[4];

	data[0] = (uint8_t)value;
	data[1] = (uint8_t)(value >> 8);
	data[2] = (uint8_t)(value >> 16);
	data[3] = (uint8_t)(value >> 24);
	return t->write(t->platform, address, data, sizeof(data));
}

/*
 * Lets simulated time pass. 0, or -1 when the sleep would go beyond the end of simulated time, 4600 s, or the user wants
 * the run to end: then time does not pass.
 */
static inline int tlmetry_sleep_ns(const struct tlmetry_card *t, uint64_t duration_ns)
{
	return t->sleep_fs(t->platform, duration_ns > UINT64_MAX / 1000000u ? UINT64_MAX : duration_ns * 1000000u);
}

static inline int tlmetry_sleep_us(const struct tlmetry_card *t, uint64_t duration_us)
{
	return t->sleep_fs(t->platform, duration_us > UINT64_MAX / 1000000000u ? UINT64_MAX : duration_us * 1000000000u);
}

/* Simulated time since the start, in femtoseconds (10^-15 s) and in nanoseconds. */
static inline uint64_t tlmetry_now_fs(const struct tlmetry_card *t)
{
	return t->now_fs(t->platform);
}

static inline uint64_t tlmetry_now_ns(const struct tlmetry_card *t)
{
	return t->now_fs(t->platform) / 1000000u;
}

/* Lines in the log, with the simulated time; at most 1023 bytes. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static inline void tlmetry_log(const struct tlmetry_card *t, const char *format, ...)
{
	char text[1024];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	t->log(t->platform, text);
}

/* Why the last access or sleep returned -1, in words; "" when it returned 0. Valid until the next one. */
static inline const char *tlmetry_error(const struct tlmetry_card *t)
{
	return t->error(t->platform);
}

#ifdef __cplusplus
}
#endif

#endif
