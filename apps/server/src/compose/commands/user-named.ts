import { Refusal } from '../../lib/refusal.ts'
import type { Store } from '../../store/store.ts'

/** The number of a user by name or number, deleted ones included. Throws `Refusal` where there is none. */
export async function userNamed(
  { store }: { readonly store: Pick<Store, 'users'> },
  text: string,
): Promise<number> {
  const [byName] = await store.users.idsByUsername(text)
  if (byName !== undefined) return byName
  const byNumber = /^[1-9]\d{0,14}$/.test(text) ? await store.users.find(Number(text)) : undefined
  if (byNumber === undefined) throw new Refusal('user_unknown')
  return byNumber.id
}
