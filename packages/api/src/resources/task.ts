import { z } from 'zod'
import { taskPlatforms, taskStatuses } from '../roles.ts'
import { quota, unixMilliseconds, unixSeconds } from '../wire.ts'
import { id } from './fields.ts'
import { defineResource } from './resource.ts'

/** Seconds in JSON, milliseconds inside. */
const inSeconds = z.codec(unixSeconds, unixMilliseconds, {
  decode: (seconds) => seconds * 1000,
  encode: (milliseconds) => Math.floor(milliseconds / 1000),
})

/** A share from 0 to 100, `42%` in JSON. */
const percent = z.codec(z.string().regex(/^\d{1,3}%$/), z.number().int(), {
  decode: (text) => Number.parseInt(text, 10),
  encode: (number) => `${number}%`,
})

/**
 * Work that an upstream accepts and finishes later: an image, music, a video. Nobody writes its fields: the order says some, the
 * upstream the others.
 */
export const taskRecord = z.object({
  id: id.readonly(),
  platform: z.enum(taskPlatforms).readonly(),
  /** The kind of work, such as `IMAGINE` or `MUSIC`. */
  action: z.string().readonly(),
  /** The public id: for Midjourney images and music the upstream's; empty until it has one. */
  upstreamId: z.string().readonly(),
  userId: id.readonly(),
  channelId: id.readonly(),
  /** Its charge; 0 once it has failed. */
  quota: quota.readonly(),
  status: z.enum(taskStatuses).readonly(),
  progress: percent.readonly(),
  submittedMs: inSeconds.readonly(),
  /** 0 until it starts. */
  startedMs: inSeconds.readonly(),
  /** 0 until it ends; finished tasks never change again. */
  finishedMs: inSeconds.readonly(),
  updatedMs: inSeconds.readonly(),
  prompt: z.string().readonly(),
  failReason: z.string().readonly(),
})

const names = {
  submittedMs: 'submit_time',
  startedMs: 'start_time',
  finishedMs: 'finish_time',
} as const

/** A task of music or video, whose prompt is among its properties. */
export const taskResource = defineResource(taskRecord.omit({ prompt: true }), {
  ...names,
  upstreamId: 'task_id',
  updatedMs: 'updated_at',
})

/** A Midjourney image, whose times are milliseconds in JSON, too. */
export const drawingResource = defineResource(
  taskRecord.omit({ platform: true, updatedMs: true }).extend({
    submittedMs: unixMilliseconds.readonly(),
    startedMs: unixMilliseconds.readonly(),
    finishedMs: unixMilliseconds.readonly(),
  }),
  { ...names, upstreamId: 'mj_id' },
)
