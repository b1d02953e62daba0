import {
  encodeMidjourneyTask,
  isObject,
  type JsonObject,
  type MidjourneyTask,
  midjourneyImageUrl,
  parseJson,
} from '@tollgate/formats'
import type { SettingsReader } from '../../../settings/settings.ts'
import type { Task } from '../../../store/work/tasks.ts'

/** The addresses under which callers get images. */
export interface ImageAddresses {
  /** Address of this gateway, without a trailing slash; empty when unknown. */
  readonly site: string
  /** Gives callers the gateway's own addresses of images. */
  readonly forwards: boolean
}

/** Reads the operator's current settings. */
export function imageAddressesOf(settings: SettingsReader): () => ImageAddresses {
  return () => {
    const { ServerAddress, MjForwardUrlEnabled: forwards } = settings.current
    return { site: ServerAddress.replace(/\/+$/, ''), forwards }
  }
}

/** The properties that only images have. */
function storedOf({ properties }: Pick<Task, 'properties'>): JsonObject {
  const retained = parseJson(properties)
  return isObject(retained) ? retained : {}
}

/** One text of the properties; empty when it is missing or not a text. */
export function propertyText(task: Pick<Task, 'properties'>, name: string): string {
  const value = storedOf(task)[name]
  return typeof value === 'string' ? value : ''
}

/** An image's task in the public form of Midjourney. */
export function midjourneyObject(task: Task, pictures: ImageAddresses, nowMs: number) {
  const reported: MidjourneyTask = { ...task, id: task.upstreamId, own: storedOf(task) }
  return encodeMidjourneyTask(reported, pictureAddress(reported, pictures, nowMs))
}

const nanosecondsPerMs = 1_000_000n

function pictureAddress(task: MidjourneyTask, { site, forwards }: ImageAddresses, nowMs: number): string {
  const server = { address: site, forwards: forwards && site !== '' }
  return midjourneyImageUrl(task, server, BigInt(Math.floor(nowMs)) * nanosecondsPerMs)
}
