import { useNavigate } from '@tanstack/react-router'
import type { FoundKey } from '@tollgate/api'
import { findKey } from '../../lib/pasted-key.ts'
import { hasPart, useUser } from '../../lib/session/session.ts'
import { toast } from '../../lib/toast.ts'

/** Opens keys: the reader's own as they edit them, those of others as administrators see them. */
export function useShowKey(): (key: Pick<FoundKey, 'id' | 'user_id' | 'deleted_at'>) => void {
  const navigate = useNavigate()
  const user = useUser()
  return ({ id, user_id: owner, deleted_at: deletedAt }) => {
    const params = { id: String(id) }
    if (hasPart(user, 'users') && (owner !== user?.id || deletedAt !== 0))
      void navigate({ to: '/user/key/$id', params })
    else void navigate({ to: '/token/edit/$id', params })
  }
}

/**
 * Finds the key of a pasted text, or says that there is none.
 * @param found hears of it; by default the key is opened
 */
export function useOpenKey(found?: (key: FoundKey) => void): (text: string) => void {
  const show = useShowKey()
  return (text) => void findKey(text).then(found ?? show, (error: Error) => toast.error(error.message))
}
