import { roles, type SessionUser } from '@tollgate/api'
import { useMemo } from 'react'
import { readLocal, useLocal, writeLocal } from './local-store.ts'

function parseUser(text: string | null): SessionUser | undefined {
  if (text === null) return undefined
  try {
    const value = JSON.parse(text) as Partial<SessionUser> | null
    if (typeof value?.id !== 'number' || typeof value.role !== 'number') return undefined
    return {
      id: value.id,
      role: value.role,
      username: value.username ?? '',
      display_name: value.display_name ?? '',
      status: value.status ?? 1,
      group: value.group ?? '',
    }
  } catch {
    return undefined
  }
}

/** Who is logged in, as far as the browser knows; the server decides with every call. */
export function currentUser(): SessionUser | undefined {
  return parseUser(readLocal('user'))
}

export function storeUser(user: SessionUser): void {
  const { id, username, display_name, role, status, group } = user
  writeLocal('user', JSON.stringify({ id, username, display_name, role, status, group }))
}

export function clearUser(): void {
  writeLocal('user', null)
}

export function useUser(): SessionUser | undefined {
  const text = useLocal('user')
  return useMemo(() => parseUser(text), [text])
}

export function isAdmin(user: SessionUser | undefined): boolean {
  return user !== undefined && user.role >= roles.admin
}

export function isRoot(user: SessionUser | undefined): boolean {
  return user !== undefined && user.role >= roles.root
}
