/** Ends that are failures of the upstream, not of the response: DeepSeek, Zhipu, OpenRouter. */
const failures: ReadonlySet<unknown> = new Set(['insufficient_system_resource', 'network_error', 'error'])

/** Returns whether a finish reason means that the upstream failed. */
export function isFailedFinish(finishReason: unknown): boolean {
  return failures.has(finishReason)
}
