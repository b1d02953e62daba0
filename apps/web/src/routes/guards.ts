import type { QueryClient } from '@tanstack/react-query'
import { notFound, redirect } from '@tanstack/react-router'
import type { AdminPart } from '@tollgate/api'
import { ForbiddenError } from '../components/frame/error-pages.tsx'
import { statusQuery, storedStatus } from '../lib/api/status.ts'
import { readLocal } from '../lib/browser/local-store.ts'
import { currentUser, hasPart, isAdmin, isRoot } from '../lib/session/session.ts'

interface GuardArguments {
  readonly context: RouterContext
  readonly location: { readonly pathname: string; readonly href: string }
}

/**
 * Until first-run setup is done every page leads there, and afterwards none does. What the last visit learnt is
 * trusted when it says "done", so that a page need not wait for the call; the frame looks again when the call returns.
 */
export async function requireSetup({ context, location }: GuardArguments): Promise<void> {
  const known = storedStatus()
  const { setup } = known?.setup ? known : await context.queryClient.ensureQueryData(statusQuery)
  const atSetup = location.pathname === '/setup'
  if (!setup && !atSetup) throw redirect({ to: '/setup' })
  if (setup && atSetup) throw redirect({ to: currentUser() ? consoleStart() : '/' })
}

/** Pages for people who are logged in; login leads back to where they wanted to go. */
export function requireLogin({ location }: Pick<GuardArguments, 'location'>): void {
  if (!currentUser()) throw redirect({ to: '/login', search: { redirect: location.href } })
}

/** Returns the first page of work: the dashboard, or the keys where the installation has none. */
function consoleStart(): '/detail' | '/token' {
  return readLocal('enable_data_export') === 'true' ? '/detail' : '/token'
}

/** Pages for administrators. The server refuses others by itself; this says so before a call is made. */
export function requireAdmin(): void {
  if (!isAdmin(currentUser())) throw new ForbiddenError('admin')
}

/** The same for pages of a part that root gives to administrators. */
export function requirePart(part: AdminPart): () => void {
  return () => {
    requireAdmin()
    if (!hasPart(currentUser(), part)) throw new ForbiddenError('part')
  }
}

/** The same for pages of the super admin. */
export function requireRoot(): void {
  if (!isRoot(currentUser())) throw new ForbiddenError('root')
}

/** Pages of a record: an address without a number has none, and the server need not be asked. */
export function requireRecordId({ params: { id } }: { readonly params: { readonly id: string } }): void {
  if (!/^[1-9]\d{0,15}$/.test(id)) throw notFound()
}

/** Context of route guards and loaders. */
export interface RouterContext {
  readonly queryClient: QueryClient
}
