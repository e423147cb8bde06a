/**
 * Connects anew when the server refuses writes because it is a replica. After a failover a connection may still lead to
 * the former primary, while the address leads to the new one.
 */
export const followPrimary = {
  reconnectOnError: (error: Error): boolean => error.message.includes('READONLY'),
} as const;
