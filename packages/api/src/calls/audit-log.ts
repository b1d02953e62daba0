import { z } from 'zod'
import { auditActions, auditTargetKinds } from '../audit-actions.ts'
import { consentQuery } from '../consent.ts'
import { auditRecordResource } from '../resources/audit-record.ts'
import {
  emptyData,
  idParams,
  oneBasedPage,
  pageOf,
  pageSize,
  queryChoice,
  queryInteger,
  queryText,
} from '../wire.ts'
import { get, post } from './define.ts'

/** One administrative action. */
export const auditRecord = auditRecordResource.wire.extend({
  /** The record that took this one back; 0 while none did. */
  reverted_by: z.number().int(),
})
/** One administrative act on the wire. */
export type AuditRecordRow = z.output<typeof auditRecord>

export const auditLogQuery = z.object({
  p: oneBasedPage,
  page_size: pageSize,
  /** Complete current username of the actor. */
  actor: queryText,
  action: queryChoice(auditActions),
  target_kind: queryChoice(auditTargetKinds),
  target_id: queryInteger,
  /** Both inclusive. */
  start_timestamp: queryInteger,
  end_timestamp: queryInteger,
})
/** Page and filters of the audit log. */
export type AuditLogQuery = z.output<typeof auditLogQuery>

export const auditLog = {
  /** Newest first. Root sees every action, administrators all but those on options. */
  list: get('admin', '/api/audit_log/', {
    part: 'any',
    recentProof: 'reads',
    query: auditLogQuery,
    data: pageOf(auditRecord),
  }),
  /** One action of the caller's list. */
  get: get('admin', '/api/audit_log/:id', {
    part: 'any',
    recentProof: 'reads',
    params: idParams,
    data: auditRecord,
  }),
  /**
   * Takes a recorded act back, once, and records that as an act. Refused where the same was changed again since, and for what a record
   * does not hold: keys, passwords, what was deleted.
   */
  revert: post('admin', '/api/audit_log/:id/revert', {
    part: 'any',
    partForEffect: { part: 'channels', effect: 'changes-a-channel' },
    recentProof: { forEffect: 'reverts-what-was-proven' },
    params: idParams,
    query: consentQuery,
    data: emptyData,
  }),
}
