import { redact } from '@tollgate/formats'

/** What an upstream's message must not tell about the channel that it came through. */
export interface UpstreamSecrets {
  readonly keys: readonly string[]
  readonly baseUrl: string
}

/** An upstream's message in one line, without the channel's keys and address. */
export function redactUpstream(message: string, { keys, baseUrl }: UpstreamSecrets): string {
  // Control characters have no place in a reason or a log, and a database may refuse them.
  return redact(message, { keys, hosts: hostsOf(baseUrl) }).replace(/\p{Cc}+/gu, ' ')
}

function hostsOf(baseUrl: string): readonly string[] {
  if (!URL.canParse(baseUrl)) return []
  const { host, hostname } = new URL(baseUrl)
  return host === hostname ? [hostname] : [host, hostname]
}
