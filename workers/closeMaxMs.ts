/** How long work in progress may take when a worker closes, in milliseconds. */
export const closeMaxMs = 8000;
