interface WithStatus {
  readonly status?: number | undefined
}

/** Statuses that a person sets, of keys and codes alike. The others are read and sent back. */
const on = 1
const off = 2

/** Names `status` where an edit was sent another switch than the record has: `?status_only=true` sets it. */
export function switchLeft(sent: WithStatus, stored: WithStatus): readonly string[] {
  const isSwitch = sent.status === on || sent.status === off
  return isSwitch && (sent.status === off) !== (stored.status === off) ? ['status'] : []
}
