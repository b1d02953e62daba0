import {
  encodeMidjourneyTask,
  isObject,
  type JsonObject,
  type MidjourneyTask,
  midjourneyImageUrl,
  parseJson,
} from '@tollgate/formats'
import type { SettingsReader } from '../../settings/settings.ts'
import type { Task } from '../../store/repositories/tasks.ts'

/** How pictures are told of. */
export interface ImageAddresses {
  /** Address of this gateway, without a slash at its end; empty when it is not known. */
  readonly site: string
  /** Whether pictures are told at the gateway's own addresses. */
  readonly forwards: boolean
}

/** As the operator wants it now. */
export function imageAddressesOf(settings: SettingsReader): () => ImageAddresses {
  return () => {
    const { ServerAddress, MjForwardUrlEnabled: forwards } = settings.current
    return { site: ServerAddress.replace(/\/+$/, ''), forwards }
  }
}

/** What a drawing keeps of its own. */
function keptOf({ properties }: Pick<Task, 'properties'>): JsonObject {
  const kept = parseJson(properties)
  return isObject(kept) ? kept : {}
}

/** One text of the properties; empty when it is missing or no text. */
export function keptText(task: Pick<Task, 'properties'>, name: string): string {
  const value = keptOf(task)[name]
  return typeof value === 'string' ? value : ''
}

/** A drawing as callers of its form read it. */
export function midjourneyObject(task: Task, pictures: ImageAddresses, nowMs: number) {
  const told: MidjourneyTask = { ...task, id: task.upstreamId, own: keptOf(task) }
  return encodeMidjourneyTask(told, pictureAddress(told, pictures, nowMs))
}

const nanosecondsPerMs = 1_000_000n

function pictureAddress(task: MidjourneyTask, { site, forwards }: ImageAddresses, nowMs: number): string {
  const server = { address: site, forwards: forwards && site !== '' }
  return midjourneyImageUrl(task, server, BigInt(Math.floor(nowMs)) * nanosecondsPerMs)
}
