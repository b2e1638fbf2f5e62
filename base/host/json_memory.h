/* Memory of JSON values. Records are trees of small blocks that are freed and needed again for the next record. */
#ifndef BASE_HOST_JSON_MEMORY_H
#define BASE_HOST_JSON_MEMORY_H

/* From now on jansson keeps blocks that this thread frees for this thread's next values, up to about 1 MiB. Blocks are
 * malloc's: free() takes them, too. Call it once, before the first value; in builds with a sanitizer it does nothing,
 * so that each freed block is watched. */
void json_memory_reuse(void);

#endif
