import { redact } from '@tollgate/formats'

/** The secrets of a channel that an upstream's message must not show. */
export interface UpstreamSecrets {
  readonly keys: readonly string[]
  readonly baseUrl: string
}

/** An upstream's message in one line, without the channel's keys and address. */
export function redactUpstream(message: string, { keys, baseUrl }: UpstreamSecrets): string {
  // PostgreSQL refuses NUL in a text, and control characters would break log lines.
  return redact(message, { keys, hosts: hostsOf(baseUrl) }).replace(/\p{Cc}+/gu, ' ')
}

/** The host of a base URL, with and without its port. Returns text that is not a URL as it is. */
export function hostsOf(baseUrl: string): readonly string[] {
  if (!URL.canParse(baseUrl)) return [baseUrl]
  const { host, hostname } = new URL(baseUrl)
  return host === hostname ? [host] : [host, hostname]
}
