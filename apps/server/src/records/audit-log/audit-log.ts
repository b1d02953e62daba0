import {
  type AuditAction,
  type AuditTargetKind,
  gatewayActorName,
  isRevertible,
  type PartHolder,
  revertibleActions,
} from '@tollgate/api'
import { type Clock, unixSeconds } from '@tollgate/base'
import { Refusal } from '../../lib/refusal.ts'
import type { AuditLogRepository, AuditRecord, NewAuditRecord } from '../../store/log/audit-log.ts'

/** The actor and their address. */
export interface Actor extends PartHolder {
  readonly userId: number
  readonly username: string
  /** Address of the client. */
  readonly address: string
  /** The record that the actor is taking back. */
  readonly reverting?: AuditRecord
}

/** An actor of whom a use case can ask a recent proof of their identity. */
export interface ProvableActor extends Actor {
  /** Throws `Refusal` for a session without a recent proof, and for an access token. */
  readonly requireProof: () => void
}

/** Actor of what the program does by itself, without a person. */
export const gatewayActor: Actor = { userId: 0, username: gatewayActorName, role: 'root', address: '' }

/** An audited action. `before` and `after` are stored without their equal fields; neither may hold a secret. */
export interface AuditEvent {
  readonly action: AuditAction
  readonly target: {
    readonly kind: AuditTargetKind
    /** 0 where the target has none. */
    readonly id?: number
    readonly name: string
  }
  readonly before?: object | undefined
  readonly after?: object | undefined
}

/** The log in the database, or in the transaction of an act. */
interface Records {
  readonly auditLog: Pick<AuditLogRepository, 'append' | 'isOver'>
}

/** Records every administrative action, and what the gateway decides by itself. Nothing deletes from it. */
export interface AuditLog {
  /**
   * @param tx the transaction of the action; without it the record is written by itself, after the action
   * @throws Refusal where the actor takes back what was taken back, or changed, since: the action is undone with its transaction
   */
  record(actor: Actor, act: AuditEvent, tx?: Records): Promise<void>
  /** The same for the actions of one bulk call. */
  recordAll(actor: Actor, auditEvents: readonly AuditEvent[], tx?: Records): Promise<void>
}

interface Dependencies {
  readonly store: Records
  readonly clock: Clock
}

export function createAuditLog({ store, clock }: Dependencies): AuditLog {
  const recordAll: AuditLog['recordAll'] = async (actor, auditEvents, tx = store) => {
    if (actor.reverting !== undefined) await refuseOver(tx, actor.reverting)
    const records = auditEvents.map((act, index) => toRecord(actor, act, index, unixSeconds(clock)))
    if (!(await tx.auditLog.append(records))) throw new Refusal('audit_changed_since')
  }
  return { recordAll, record: (actor, act, tx) => recordAll(actor, [act], tx) }
}

/**
 * Refuses to take a record back that was taken back, or that another act on its target has followed. Behind the locks of an act it sees
 * all that came before.
 */
export async function refuseOver({ auditLog }: Records, record: AuditRecord): Promise<void> {
  const endedBy = isRevertible(record.action) ? revertibleActions[record.action] : []
  if (await auditLog.isOver(record, endedBy)) throw new Refusal('audit_changed_since')
}

/** Makes the record of an act; of those of one call the first says what they take back. */
function toRecord(actor: Actor, { action, target, ...states }: AuditEvent, index: number, createdAt: number) {
  const { before, after } = changedFields(states.before, states.after)
  return {
    createdAt,
    actorId: actor.userId,
    actorName: actor.username,
    actorRole: actor.role,
    address: actor.address,
    action,
    targetKind: target.kind,
    targetId: target.id ?? 0,
    targetName: target.name,
    before: textOf(before),
    after: textOf(after),
    reverts: index === 0 ? (actor.reverting?.id ?? 0) : 0,
  } satisfies NewAuditRecord
}

function textOf(state: object | undefined): string {
  return state === undefined ? '' : JSON.stringify(state)
}

type State = Readonly<Record<string, unknown>>

/** Both states without their equal fields, compared by their JSON. */
function changedFields(
  before: object | undefined,
  after: object | undefined,
): { readonly before: State | undefined; readonly after: State | undefined } {
  const [old, new_] = [before as State | undefined, after as State | undefined]
  if (old === undefined || new_ === undefined) return { before: old, after: new_ }
  const names = new Set([...Object.keys(old), ...Object.keys(new_)])
  const changed = [...names].filter((name) => JSON.stringify(old[name]) !== JSON.stringify(new_[name]))
  return { before: pick(old, changed), after: pick(new_, changed) }
}

function pick(state: State, names: readonly string[]): State {
  return Object.fromEntries(names.filter((name) => name in state).map((name) => [name, state[name]]))
}
