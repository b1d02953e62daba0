import { z } from 'zod'
import { consentFields } from '../consent.ts'
import { post } from './define.ts'

const modelName = z.string().trim().min(1).max(200)

const renaming = { model_name: modelName, new_name: modelName }

/** Where a model's name stands, and what becomes of it. */
export const modelRenaming = z.object({
  /** Channels that serve it. They ask their upstreams for the name of before. */
  channels: z.array(z.object({ id: z.number().int(), name: z.string() })),
  /** Options with an entry of its name. */
  options: z.array(z.string()),
  /** Keys that may use it by name. */
  tokens: z.number().int(),
})
export type ModelRenaming = z.output<typeof modelRenaming>

/** One name of a model for another, wherever it stands. What is past keeps its name: logs, statistics, tasks. */
export const modelNames = {
  /** What a renaming would change; nothing changes. */
  preview: post('admin', '/api/models/rename/preview', {
    part: 'prices',
    recentProof: 'reads',
    body: z.object(renaming),
    data: modelRenaming,
  }),
  /** All of it in one step, or nothing. It moves prices: root's, unless root lets administrators set them. */
  rename: post('admin', '/api/models/rename', {
    part: 'prices',
    partForEffect: { part: 'channels', effect: 'changes-a-channel' },
    recentProof: 'operates',
    body: z.object({ ...renaming, ...consentFields }),
    data: modelRenaming,
  }),
}
