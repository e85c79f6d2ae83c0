// SPDX-License-Identifier: GPL-2.0-only
/*
 * Plugin of qemu-user: how many instructions a program has executed, whenever
 * it makes the system call getpgid(BENCH_MARK). Every mark is a line "mark N" on
 * standard error.
 *
 * The few functions of QEMU that are used are declared here, as Debian packages
 * neither a header nor QEMU's own counting plugin.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

#include "../mark.h"

#define EXPORT __attribute__((__visibility__("default")))

typedef uint64_t plugin_id;
struct qemu_plugin_tb;

typedef void (*tb_trans_cb)(plugin_id id, struct qemu_plugin_tb *tb);
typedef void (*tb_exec_cb)(unsigned int cpu, void *data);
typedef void (*syscall_cb)(plugin_id id, unsigned int cpu, int64_t num,
			   uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
			   uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8);

void qemu_plugin_register_vcpu_tb_trans_cb(plugin_id id, tb_trans_cb cb);
void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, tb_exec_cb cb,
					  int flags, void *data);
void qemu_plugin_register_vcpu_syscall_cb(plugin_id id, syscall_cb cb);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);

EXPORT int qemu_plugin_version = PLUGIN_VERSION;

static uint64_t executed;

static void count(unsigned int cpu, void *data)
{
	(void)cpu;
	executed += (uintptr_t)data;
}

static void translated(plugin_id id, struct qemu_plugin_tb *tb)
{
	(void)id;
	qemu_plugin_register_vcpu_tb_exec_cb(tb, count, 0,
					     (void *)qemu_plugin_tb_n_insns(tb));
}

static void called(plugin_id id, unsigned int cpu, int64_t num, uint64_t a1,
		   uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6,
		   uint64_t a7, uint64_t a8)
{
	(void)id, (void)cpu, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
	if (num == BENCH_MARK_SYSCALL && (uint32_t)a1 == BENCH_MARK)
		fprintf(stderr, "mark %" PRIu64 "\n", executed);
}

EXPORT int qemu_plugin_install(plugin_id id, const void *info, int argc, char **argv)
{
	(void)info, (void)argc, (void)argv;
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_vcpu_syscall_cb(id, called);
	return 0;
}
