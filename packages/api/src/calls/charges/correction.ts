import { z } from 'zod'
import { idParams, oneBasedPage, pageOf, pageSize, quota, unixSeconds } from '../../wire.ts'
import { get, post } from '../define.ts'
import { modelPrice } from '../model-price.ts'

/**
 * Calls that were charged at a wrong price, and the right one: by default the prices and ratios in force. Of a group that is gone the
 * ratio that was charged holds.
 */
export const correctionSelection = z.object({
  /** Every model, channel, group and user when absent. */
  model_name: z.string().min(1).max(200).optional(),
  channel: z.number().int().positive().optional(),
  group: z.string().min(1).max(100).optional(),
  username: z.string().min(1).max(100).optional(),
  /** Both inclusive; the span must be over. */
  from: unixSeconds.min(0),
  to: unixSeconds.min(0),
  /** The right price of that model, in place of the one in force. */
  price: modelPrice.optional(),
  /** The right ratio of the calls' groups, in place of the ones in force. */
  group_ratio: z.number().min(0).max(1000).optional(),
})
/** Selection of the calls to charge again, and the terms for it. */
export type CorrectionSelection = z.output<typeof correctionSelection>

const chargeTotal = {
  calls: z.number().int(),
  /** Those whose charge changes. */
  changed: z.number().int(),
  /** Quota that is charged for them now, and by the right terms. */
  charged: quota,
  right: quota,
}

/** Effects of a correction. */
export const correctionPreview = z.object({
  ...chargeTotal,
  /** Charged in addition; below zero for what users get back. */
  amount: quota,
  /** Calls whose rows do not have what the right price needs: their charges stay. */
  unknown_calls: z.number().int(),
  unknown_charged: quota,
  /** Calls whose charge falls although good will credited them before, and these credits: they stay unless they are taken back. */
  credited_calls: z.number().int(),
  credited_amount: quota,
  /** Users whose charges change. */
  changed_users: z.number().int(),
  /** Those whose charges change most, at most a hundred. */
  users: z.array(z.object({ id: z.number().int(), username: z.string(), ...chargeTotal })),
  models: z.array(z.object({ model_name: z.string(), ...chargeTotal })),
  /** Token of this preview. The correction carries it, and is refused where it would change something else by then. */
  confirmation: z.string(),
})
export type CorrectionPreview = z.output<typeof correctionPreview>

const reason = z.string().trim().min(1).max(500)

/** A correction of charges. */
export const correctionRow = z.object({
  id: z.number().int(),
  created_at: unixSeconds,
  actor_name: z.string(),
  /** The users read it. */
  reason: z.string(),
  selection: correctionSelection,
  /** `applying` and `taking-back` go on by themselves, after a crash too. */
  state: z.enum(['preparing', 'applying', 'applied', 'taking-back', 'taken-back']),
  /** Calls and users whose charges changed. */
  calls: z.number().int(),
  users: z.number().int(),
  /** Charged in addition; below zero for what users got back. */
  amount: quota,
  /** 0 unless it was taken back. */
  taken_back_at: unixSeconds,
  taken_back_by: z.string(),
  taken_back_reason: z.string(),
})
export type CorrectionRow = z.output<typeof correctionRow>

/** Charges that were made at a wrong price. A correction moves everybody's money: root's alone. */
export const corrections = {
  /** Newest first. */
  list: get('root', '/api/correction/', {
    recentProof: 'reads',
    query: z.object({ p: oneBasedPage, page_size: pageSize }),
    data: pageOf(correctionRow),
  }),
  /** Works every charge of the selection out again, and changes nothing. */
  preview: post('root', '/api/correction/preview', {
    recentProof: 'reads',
    body: correctionSelection,
    data: correctionPreview,
  }),
  /** Reads the progress of a preview, correction or reversal at this node. */
  progress: get('root', '/api/correction/progress', {
    recentProof: 'reads',
    data: z.object({ running: z.boolean(), calls: z.number().int(), users: z.number().int() }),
  }),
  /** Changes the charges as the preview said, once; resolves at its end. */
  apply: post('root', '/api/correction/', {
    recentProof: 'operates',
    body: correctionSelection.extend({ reason, confirmation: z.string().max(64) }),
    data: correctionRow,
  }),
  /** Charges the calls again as they were charged before. */
  takeBack: post('root', '/api/correction/:id/take_back', {
    recentProof: 'operates',
    params: idParams,
    body: z.object({ reason }),
    data: correctionRow,
  }),
}
