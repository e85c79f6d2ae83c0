// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * mkseeds DECODE_DIR ROUNDTRIP_DIR PAGEFILE...: seeds for the fuzz targets: a
 * few pages of each file, compressed at each level, and as they are.
 */
#include "fuzz.h"

/* fewer of larger pages, which take longer: a short run must get beyond its seeds */
#define PAGES_OF_A_FILE (1 + 5 * 4096 / PAGE_SIZE)

static void write_seed(const char *dir, unsigned int n, const void *head, size_t head_len,
		       const void *data, size_t len)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), "%s/seed-%04u", dir, n);
	f = fopen(path, "wb");
	if (!f || fwrite(head, 1, head_len, f) != head_len || fwrite(data, 1, len, f) != len ||
	    fclose(f)) {
		fprintf(stderr, "mkseeds: cannot write %s\n", path);
		exit(1);
	}
}

static void seeds_of_page(char **dirs, const uint8_t *page)
{
	static uint64_t work[(1 << 19) / 8];
	static uint8_t obj[DST_MAX];
	static unsigned int n;

	for (int level = SEQLZ_LEVEL_MIN; level <= SEQLZ_LEVEL_MAX; level++, n++) {
		struct roundtrip_head head = { .level = (uint8_t)level, .generator = GEN_ZEROES };
		int len;

		must(seqlz_workmem_size(level) <= sizeof(work));
		len = seqlz_compress(page, obj, sizeof(obj), work, level);
		must(len > 0);
		write_seed(dirs[0], n, NULL, 0, obj, len);
		write_seed(dirs[1], n, &head, sizeof(head), page, PAGE_SIZE);
	}
}

int main(int argc, char **argv)
{
	static uint8_t page[PAGE_SIZE];

	if (argc < 4) {
		fprintf(stderr, "usage: mkseeds DECODE_DIR ROUNDTRIP_DIR PAGEFILE...\n");
		return 2;
	}
	for (int i = 3; i < argc; i++) {
		FILE *f = fopen(argv[i], "rb");

		if (!f) {
			fprintf(stderr, "mkseeds: cannot read %s\n", argv[i]);
			return 1;
		}
		for (size_t k = 0; k < PAGES_OF_A_FILE && fread(page, PAGE_SIZE, 1, f) == 1; k++)
			seeds_of_page(argv + 1, page);
		fclose(f);
	}
	return 0;
}
