import { objectOf } from '@tollgate/formats'

/** Accounts of old name their group in the channel's free field. */
export function groupQuery(other: string): string {
  const group = other.trim()
  return group === '' ? '' : `?GroupId=${encodeURIComponent(group)}`
}

const successCodes: readonly unknown[] = [undefined, null, 0, '0']

/** Recognises a failure, which is a 200, too. */
export function isFailed({ base_resp }: Readonly<Record<string, unknown>>): boolean {
  return !successCodes.includes(objectOf(base_resp).status_code)
}
