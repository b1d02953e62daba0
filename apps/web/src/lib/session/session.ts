import {
  type AdminPart,
  adminPartNames,
  defaultAdminParts,
  nameOf,
  type PartHolder,
  roles,
  type SessionUser,
} from '@tollgate/api'
import { dropUnstored, readLocal, writeLocal } from '../browser/local-store.ts'
import { fieldsOf, listOf, numberOf, parseJson, textOf } from '../format/json.ts'
import { createSharedState, useSharedState } from '../shared-state.ts'
import { currentView, forgetView, leaveView } from './view.ts'

function parseUser(text: string | null): SessionUser | undefined {
  const {
    id,
    role,
    username,
    display_name,
    status,
    group,
    admin_parts: parts,
  } = fieldsOf(parseJson(text ?? ''))
  if (typeof id !== 'number' || typeof role !== 'number') return undefined
  return {
    id,
    role,
    username: textOf(username),
    display_name: textOf(display_name),
    status: numberOf(status) ?? 1,
    group: textOf(group),
    admin_parts: partsIn(parts, role),
  }
}

/** The stored parts; those of a new administrator where the last log-in was before there were any. */
function partsIn(stored: unknown, role: number): AdminPart[] {
  const known = Array.isArray(stored) ? listOf(stored) : role >= roles.admin ? defaultAdminParts : []
  return adminPartNames.filter((part) => role >= roles.root || known.includes(part))
}

function storedUser(): SessionUser | undefined {
  return parseUser(readLocal('user'))
}

/** The user as whom this tab sees the console. */
function viewedUser(): SessionUser | undefined {
  const view = currentView()
  return view && parseUser(JSON.stringify(view.user))
}

/**
 * User for whom this tab acts. The stored user is all tabs' and may change at any time; this one changes when the tab has updated what
 * it shows.
 */
const acting = createSharedState(viewedUser() ?? storedUser())

/** Returns the logged-in user, as far as the browser knows; the server decides with every call. */
export function currentUser(): SessionUser | undefined {
  return acting.get()
}

/** Decides whether this tab still acts for the same user: no other tab has logged in another one. */
export function isActingAs(id: number | undefined): boolean {
  const stored = storedUser()
  const owner = currentView()?.ownId ?? id
  return currentUser()?.id === id && (stored === undefined || stored.id === owner)
}

/** Someone logged in here, or what is known of them changed. */
export function storeUser(user: SessionUser): void {
  const { id, username, display_name, role, status, group, admin_parts } = user
  const text = JSON.stringify({ id, username, display_name, role, status, group, admin_parts })
  acting.set(parseUser(text))
  // What a view reads of its user is not what the browser knows of its own.
  if (currentView() !== undefined) return
  writeLocal('user', text)
  broadcast('login')
}

/** Ends the view of this tab: calls are the administrator's own again. */
export function actAsOneself(): void {
  forgetView()
  acting.set(storedUser())
}

/** Ends the session in this tab, as the server reported. Other tabs find out by themselves. */
export function clearUser(): void {
  acting.set(undefined)
  writeLocal('user', null)
}

/** The person logged out: every tab leaves at once. */
export function logOutEverywhere(): void {
  clearUser()
  broadcast('logout')
}

export function useUser(): SessionUser | undefined {
  return useSharedState(acting)
}

export function isAdmin(user: SessionUser | undefined): boolean {
  return user !== undefined && user.role >= roles.admin
}

export function isRoot(user: SessionUser | undefined): boolean {
  return user !== undefined && user.role >= roles.root
}

/** Decides whether an administrator has a part; root has every part. */
export function hasPart(user: SessionUser | undefined, part: AdminPart): boolean {
  return user?.admin_parts?.includes(part) === true
}

/** Returns the holder of parts to whom the rules of options apply. */
export function partHolderOf(user: SessionUser | undefined): PartHolder {
  return { role: nameOf(roles, user?.role ?? 0) ?? 'common', parts: user?.admin_parts ?? [] }
}

type TabMessage = 'login' | 'logout'

/** Channel for what storage events miss: the same person logging in again changes nothing that is stored. */
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('tollgate-session') : undefined

function broadcast(message: TabMessage): void {
  channel?.postMessage(message)
}

export interface OtherTabs {
  /** The same person is logged in (again), perhaps with another name or role. */
  readonly onRenewed: () => void
  /** Another user is logged in. This tab already acts for them. */
  readonly onReplaced: () => void
  /** The session is over and the stored user removed; this tab still acts for them. */
  readonly onExpired: () => void
  /** The user logged out. This tab acts for no user. */
  readonly onLoggedOut: () => void
}

/** Follows what happens to the session in other tabs. Called once by the application. */
export function watchOtherTabs(tabs: OtherTabs): void {
  const compare = () => {
    const view = currentView()
    if (view !== undefined) {
      if (storedUser()?.id !== view.ownId) leaveView()
      return
    }
    const before = acting.get()
    const now = storedUser()
    if (before?.id === now?.id) {
      if (JSON.stringify(before) !== JSON.stringify(now)) acting.set(now)
      return
    }
    if (now === undefined) return tabs.onExpired()
    acting.set(now)
    tabs.onReplaced()
  }
  window.addEventListener('storage', ({ key }) => {
    if (key === 'user' || key === null) compare()
  })
  // A sleeping tab receives no events until it is visible again.
  window.addEventListener('pageshow', compare)
  document.addEventListener('visibilitychange', compare)
  channel?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if (data === 'logout') {
      if (currentView() !== undefined) return leaveView()
      dropUnstored('user')
      acting.set(undefined)
      return tabs.onLoggedOut()
    }
    compare()
    tabs.onRenewed()
  })
}

/** Counts how often another user took over the screen. */
const generation = createSharedState(0)

/** Throws away what pages keep for themselves: they are drawn from the beginning. */
export function remountPages(): void {
  generation.set(generation.get() + 1)
}

/** Returns the generation as a key of the pages. */
export function usePageGeneration(): number {
  return useSharedState(generation)
}
