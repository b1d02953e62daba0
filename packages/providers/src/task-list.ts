import { isObject, type JsonObject, listOf } from '@tollgate/formats'
import type { OpenTask, TaskReport, TaskResponse } from './task.ts'

/** Of requests about tasks. */
export const jsonHeaders = { 'content-type': 'application/json', accept: 'application/json' }

/** Address of a path that begins with the form's own root, which operators may have put into the base URL, too. */
export function forwardedUrl(baseUrl: string, root: string, path: string): string {
  const base = baseUrl.trim().replace(/\/+$/, '')
  return (base.endsWith(root) ? base.slice(0, -root.length) : base) + path
}

/**
 * Reads a list of what an upstream says of tasks, each an object that names its task in `idField`. What is no such object,
 * or of a task that was not asked for, is passed over; `undefined` when there is no list at all.
 */
export function reportsByReference(
  list: unknown,
  idField: string,
  tasks: readonly OpenTask[],
  read: (task: JsonObject) => TaskReport,
): TaskResponse | undefined {
  if (!Array.isArray(list)) return undefined
  const references = new Set(tasks.map(({ reference }) => reference))
  const reports = new Map<string, TaskReport>()
  for (const task of listOf(list)) {
    if (!isObject(task)) continue
    const id = String(task[idField] ?? '')
    if (references.has(id)) reports.set(id, read(task))
  }
  return { reports }
}
