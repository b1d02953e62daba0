import { z } from 'zod'
import { roles } from '../roles.ts'
import { unixSeconds } from '../wire.ts'
import { id, named } from './fields.ts'
import { defineResource } from './resource.ts'

/** One administrative action: who did what to which record, from where, and what changed. Nobody writes its fields. */
export const auditRecordRecord = z.object({
  id: id.readonly(),
  createdAt: unixSeconds.readonly(),
  actorId: id.readonly(),
  /** The actor's name at that time. */
  actorName: z.string().readonly(),
  actorRole: named(roles).readonly(),
  /** Address of the client. */
  address: z.string().readonly(),
  /** Any text in JSON, so that a console reads the records of a newer node. */
  action: z.string().readonly(),
  targetKind: z.string().readonly(),
  /** 0 where the target has no id: an option, a tag. */
  targetId: id.readonly(),
  targetName: z.string().readonly(),
  /** JSON texts of the fields that changed, without secrets; empty where there is no state before or after. */
  before: z.string().readonly(),
  after: z.string().readonly(),
  /** The record that this one takes back; 0 for one that takes none back. */
  reverts: id.default(0).readonly(),
})

/** Audit records: how calls and the store read the record. */
export const auditRecordResource = defineResource(auditRecordRecord, {})
