import {
  type DrawingTask,
  drawingImageUrl,
  encodeDrawing,
  isObject,
  type JsonObject,
  parseJson,
} from '@tollgate/formats'
import type { Task } from '../../store/entities.ts'

/** How pictures are told of. */
export interface PictureAddresses {
  /** Where this gateway is found, without a slash at its end; empty when nobody knows. */
  readonly site: string
  /** Whether pictures are told at the gateway's own addresses. */
  readonly forwards: boolean
}

/** What a drawing keeps of its own. */
export function keptOf({ properties }: Pick<Task, 'properties'>): JsonObject {
  const kept = parseJson(properties)
  return isObject(kept) ? kept : {}
}

/** One text of it; empty when it is none. */
export function keptText(task: Pick<Task, 'properties'>, name: string): string {
  const value = keptOf(task)[name]
  return typeof value === 'string' ? value : ''
}

/** A drawing as callers of its form read it. */
export function drawingObject(task: Task, pictures: PictureAddresses, nowMs: number) {
  const told: DrawingTask = { ...task, id: task.upstreamId, own: keptOf(task) }
  return encodeDrawing(told, pictureAddress(told, pictures, nowMs))
}

const nanosecondsPerMs = 1_000_000n

function pictureAddress(task: DrawingTask, { site, forwards }: PictureAddresses, nowMs: number): string {
  const server = { address: site, forwards: forwards && site !== '' }
  return drawingImageUrl(task, server, BigInt(Math.floor(nowMs)) * nanosecondsPerMs)
}
