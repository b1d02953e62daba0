import { redact } from '@tollgate/formats'

/** What must not appear in an upstream's message when people read it. */
export interface UpstreamSecrets {
  readonly keys: readonly string[]
  readonly baseUrl: string
}

/** An upstream's message in one line, without the channel's keys and address. */
export function redactUpstream(message: string, { keys, baseUrl }: UpstreamSecrets): string {
  // PostgreSQL refuses NUL in a text, and control characters would break log lines.
  return redact(message, { keys, hosts: hostsOf(baseUrl) }).replace(/\p{Cc}+/gu, ' ')
}

/** The host of a base URL, with and without its port. Text that is no URL is returned as it is. */
export function hostsOf(baseUrl: string): readonly string[] {
  if (!URL.canParse(baseUrl)) return [baseUrl]
  const { host, hostname } = new URL(baseUrl)
  return host === hostname ? [host] : [host, hostname]
}
