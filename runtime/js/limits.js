// What one input may take: steps and memory, and how much more for each byte of the input. None is a
// time, so that the answer does not depend on the machine. They are those of ast/limits.go.

/** Steps of the general parser, and of finding an alternative. */
export const MOST_STEPS = 1 << 29;
export const STEPS_BY_BYTE = 256;

/** Bytes that the general parser may keep of an input. */
export const MOST_MEMORY = 320 * (1 << 20);
export const MEMORY_BY_BYTE = 40;
