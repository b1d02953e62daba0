import { type DrawingPath, isDrawingPath } from '@tollgate/formats'

/** What a path of the drawing form asks for. */
export type DrawingRoute =
  | { readonly name: 'submit'; readonly action: DrawingPath; readonly upstreamPath: string }
  | { readonly name: 'seed'; readonly id: string; readonly upstreamPath: string }
  | { readonly name: 'fetch'; readonly id: string }
  | { readonly name: 'list' }
  /** A picture, for everybody. */
  | { readonly name: 'image'; readonly id: string }
  /** An upstream tells of a task. */
  | { readonly name: 'notify'; readonly secret: string }

/** The same of the music form. */
export type MusicRoute =
  | { readonly name: 'submit'; readonly action: string }
  | { readonly name: 'fetch'; readonly id: string }
  | { readonly name: 'list' }

export type TaskPath =
  | { readonly kind: 'drawing'; readonly route: DrawingRoute }
  | { readonly kind: 'music'; readonly route: MusicRoute }

/** Whose words a path of these forms is answered in. */
export type TaskForm = TaskPath['kind']

/** How fast drawings are made may stand in front: `/mj-fast/mj/…`. */
const drawingPath = /^(\/[\w-]+)?\/mj(?:\/(.*))?$/
const musicPath = /^\/suno(?:\/(.*))?$/

/** @param path without query; `undefined` where it is of neither form, whether it leads anywhere or not */
export function taskForm(path: string): TaskForm | undefined {
  if (musicPath.test(path)) return 'music'
  const mode = drawingPath.exec(path)?.[1]
  // The console lists drawings at a path of its own.
  return drawingPath.test(path) && mode !== '/api' ? 'drawing' : undefined
}

/** @param line method and path; `undefined` where there is nothing of these forms */
export function taskPath(line: string): TaskPath | undefined {
  const [method = '', path = ''] = line.split(' ', 2)
  const form = taskForm(path)
  if (form === undefined) return undefined
  if (form === 'drawing') {
    const route = drawingRoute(method, path)
    return route && { kind: form, route }
  }
  const route = musicRoute(method, musicPath.exec(path)?.[1] ?? '')
  return route && { kind: form, route }
}

function drawingRoute(method: string, path: string): DrawingRoute | undefined {
  const [, mode = '', rest = ''] = drawingPath.exec(path) ?? []
  const upstreamPath = `${mode.startsWith('/mj-') ? '' : mode}/mj/${rest}`
  if (method === 'GET') return shownDrawing(rest, upstreamPath)
  if (method !== 'POST') return undefined
  if (isDrawingPath(rest)) return { name: 'submit', action: rest, upstreamPath }
  if (rest === 'task/list-by-condition') return { name: 'list' }
  const secret = /^notify(?:\/([^/]+))?$/.exec(rest)
  return secret === null ? undefined : { name: 'notify', secret: secret[1] ?? '' }
}

const shown = { fetch: 'fetch', 'image-seed': 'seed' } as const

function shownDrawing(rest: string, upstreamPath: string): DrawingRoute | undefined {
  const image = /^image\/([^/]+)$/.exec(rest)?.[1]
  if (image !== undefined) return { name: 'image', id: decoded(image) }
  const [, id, what] = /^task\/([^/]+)\/(fetch|image-seed)$/.exec(rest) ?? []
  if (id === undefined) return undefined
  return { name: shown[what as keyof typeof shown], id: decoded(id), upstreamPath }
}

function musicRoute(method: string, rest: string): MusicRoute | undefined {
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
