// SPDX-License-Identifier: BSD-3-Clause
// Something to compile behind the header that all tests share.
