/* SPDX-License-Identifier: BSD-3-Clause */
/* No program: its entry is data. */
int tlmetry_main = 1;
