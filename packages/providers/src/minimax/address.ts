export const defaultBaseUrl = 'https://api.minimax.chat'

/** Accounts of old name their group in the channel's free field. */
export function groupQuery(other: string): string {
  const group = other.trim()
  return group === '' ? '' : `?GroupId=${encodeURIComponent(group)}`
}
