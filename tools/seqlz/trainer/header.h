/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The header that the library is built with
 */
#ifndef _TRAINER_HEADER_H
#define _TRAINER_HEADER_H

/* what the head says about where the codes come from: options and files */
char *provenance(int argc, char **argv, int first, int starts);

/* writes the codes to @out, or compares them with what @check holds */
void write_or_check(const char *out, const char *check, const char *prov);

#endif /* _TRAINER_HEADER_H */
