import { isMidjourneyPath, type MidjourneyPath } from '@tollgate/formats'

/** Targets of the paths of the drawing form. */
export type MidjourneyRoute =
  | { readonly name: 'submit'; readonly action: MidjourneyPath; readonly upstreamPath: string }
  | { readonly name: 'seed'; readonly id: string; readonly upstreamPath: string }
  | { readonly name: 'fetch'; readonly id: string }
  | { readonly name: 'list' }
  /** An image, readable without a key. */
  | { readonly name: 'image'; readonly id: string }
  /** A notification from an upstream about a task. */
  | { readonly name: 'notify'; readonly secret: string }

/** The same of the music form. */
export type SunoRoute =
  | { readonly name: 'submit'; readonly action: string }
  | { readonly name: 'fetch'; readonly id: string }
  | { readonly name: 'list' }

export type TaskPath =
  | { readonly kind: 'drawing'; readonly route: MidjourneyRoute }
  | { readonly kind: 'music'; readonly route: SunoRoute }

/** The dialect of responses on a path of these forms. */
export type TaskForm = TaskPath['kind']

/** A speed may come first in the path: `/mj-fast/mj/…`. */
const midjourneyPath = /^(\/[\w-]+)?\/mj(?:\/(.*))?$/
const sunoPath = /^\/suno(?:\/(.*))?$/

/** @param path without query; `undefined` where it is of neither form, whether it leads anywhere or not */
export function taskForm(path: string): TaskForm | undefined {
  if (sunoPath.test(path)) return 'music'
  const mode = midjourneyPath.exec(path)?.[1]
  // The console lists drawings at a path of its own.
  return midjourneyPath.test(path) && mode !== '/api' ? 'drawing' : undefined
}

/** @param line method and path; `undefined` where there is nothing of these forms */
export function taskPath(line: string): TaskPath | undefined {
  const [method = '', path = ''] = line.split(' ', 2)
  const form = taskForm(path)
  if (form === undefined) return undefined
  if (form === 'drawing') {
    const route = midjourneyRoute(method, path)
    return route && { kind: form, route }
  }
  const route = sunoRoute(method, sunoPath.exec(path)?.[1] ?? '')
  return route && { kind: form, route }
}

function midjourneyRoute(method: string, path: string): MidjourneyRoute | undefined {
  const [, mode = '', rest = ''] = midjourneyPath.exec(path) ?? []
  const upstreamPath = `${mode.startsWith('/mj-') ? '' : mode}/mj/${rest}`
  if (method === 'GET') return visibleMidjourney(rest, upstreamPath)
  if (method !== 'POST') return undefined
  if (isMidjourneyPath(rest)) return { name: 'submit', action: rest, upstreamPath }
  if (rest === 'task/list-by-condition') return { name: 'list' }
  const secret = /^notify(?:\/([^/]+))?$/.exec(rest)
  return secret === null ? undefined : { name: 'notify', secret: secret[1] ?? '' }
}

const visible = { fetch: 'fetch', 'image-seed': 'seed' } as const

function visibleMidjourney(rest: string, upstreamPath: string): MidjourneyRoute | undefined {
  const image = /^image\/([^/]+)$/.exec(rest)?.[1]
  if (image !== undefined) return { name: 'image', id: decoded(image) }
  const [, id, what] = /^task\/([^/]+)\/(fetch|image-seed)$/.exec(rest) ?? []
  if (id === undefined) return undefined
  return { name: visible[what as keyof typeof visible], id: decoded(id), upstreamPath }
}

function sunoRoute(method: string, rest: string): SunoRoute | undefined {
  const action = /^submit\/([^/]+)$/.exec(rest)?.[1]
  if (action !== undefined) return method === 'POST' ? { name: 'submit', action: decoded(action) } : undefined
  if (rest === 'fetch' && method === 'POST') return { name: 'list' }
  const id = /^fetch\/([^/]+)$/.exec(rest)?.[1]
  return id !== undefined && method === 'GET' ? { name: 'fetch', id: decoded(id) } : undefined
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Targets of the paths of the videos form. */
export type VideoRoute =
  | { readonly name: 'create' }
  | { readonly name: 'show'; readonly id: string }
  | { readonly name: 'content'; readonly id: string }
