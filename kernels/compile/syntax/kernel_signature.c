#include "kernels/compile/syntax/kernel_signature.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host/temporary_folder.h"
#include "base/input_file.h"
#include "base/paths.h"
#include "kernels/compile/compiler.h"

enum { TREES_MAX = 256 << 20 /* bytes */ };

static const char *read_member(const json_t *o, const char *name)
{
	const char *text = json_string_value(json_object_get(o, name));
	return text ? text : "";
}

/* --- the tree --- */
/* The declaration of the kernel, which may be inside of a template. NULL: not in this tree. */
static const json_t *find_declaration(const json_t *tree, const char *symbol)
{
	const json_t *inner = json_object_get(tree, "inner"), *found = NULL;
	if (!strcmp(read_member(tree, "mangledName"), symbol))
		return tree;
	for (size_t i = 0; !found && i < json_array_size(inner); i++) {
		const char *kind = read_member(json_array_get(inner, i), "kind");
		if (!strcmp(kind, "FunctionDecl") || !strcmp(kind, "FunctionTemplateDecl"))
			found = find_declaration(json_array_get(inner, i), symbol);
	}
	return found;
}

/* Without its alias, if it is one: "unsigned long" for size_t. */
static const char *read_type(const json_t *parameter)
{
	const json_t *type = json_object_get(parameter, "type");
	const char *plain = read_member(type, "desugaredQualType");
	return *plain ? plain : read_member(type, "qualType");
}

static void read_parameters(const json_t *declaration, struct kernel_signature *out)
{
	const json_t *inner = json_object_get(declaration, "inner");
	for (size_t i = 0; i < json_array_size(inner) && out->count < SIGNATURE_PARAMETERS; i++) {
		const json_t *one = json_array_get(inner, i);
		if (strcmp(read_member(one, "kind"), "ParmVarDecl"))
			continue;
		struct signature_parameter *p = &out->list[out->count++];
		snprintf(p->name, sizeof p->name, "%s", read_member(one, "name"));
		snprintf(p->type, sizeof p->type, "%s", read_type(one));
	}
}

/* Of the name in the source itself. */
static int read_line(const json_t *declaration)
{
	const json_t *at = json_object_get(declaration, "loc");
	if (json_object_get(at, "includedFrom"))
		return 0;
	return (int)json_integer_value(json_object_get(at, "line"));
}

/* The trees are JSON values one after another. */
static bool read_trees(const struct buf *text, const char *symbol, struct kernel_signature *out)
{
	bool found = false;
	for (size_t at = 0; !found && at < text->len;) {
		json_error_t e;
		json_t *tree = json_loadb(text->data + at, text->len - at, JSON_DISABLE_EOF_CHECK, &e);
		if (!tree)
			break;
		const json_t *declaration = find_declaration(tree, symbol);
		found = declaration != NULL;
		if (found) {
			read_parameters(declaration, out);
			out->line = read_line(declaration);
		}
		json_decref(tree);
		at += (size_t)e.position;
	}
	return found;
}

/* --- the question --- */
static bool ask_compiler(const struct toolchain *tools, const struct compile_task *t, const char *name,
	const char *symbol, struct kernel_signature *out, struct err *e)
{
	const char *why;
	struct buf text = {0};
	char *trees = xasprintf("%s/trees", t->temporary);
	bool ok = clang_write_trees(tools, t, name, trees, e) &&
		(input_file_read(trees, TREES_MAX, &text, &why) ||
			err_set(e, ST_FAILED, "cannot read the compiler's answer: %s", why)) &&
		(read_trees(&text, symbol, out) ||
			err_set(e, ST_FAILED, "the compiler does not say which parameters %s has", name));
	free(trees);
	buf_free(&text);
	return ok;
}

bool kernel_signature_find(const char *source, const char *arch, const char *name, const char *symbol,
	struct kernel_signature *out, struct err *e)
{
	const struct toolchain *tools = toolchain_find();
	char *const none[] = {NULL};
	*out = (struct kernel_signature){.count = 0};
	if (!toolchain_compiles_hip(tools))
		return err_set(e, ST_REQUEST,
			"clang is needed to read the parameters of %s; wavedeck doctor says what is missing", name);
	char *folder = path_copy_folder(source), *include = path_kernels(NULL), *temporary = temporary_folder_create(e);
	const struct compile_task t = {.source = source,
		.arch = arch,
		.include = include,
		.folder = folder,
		.defines = none,
		.temporary = temporary};
	bool ok = temporary && ask_compiler(tools, &t, name, symbol, out, e);
	if (temporary)
		temporary_folder_remove(temporary);
	free(temporary);
	free(include);
	free(folder);
	return ok;
}
