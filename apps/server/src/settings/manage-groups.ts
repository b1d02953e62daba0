import type { Consent, GroupChange, GroupField, GroupRow, GroupSettings, PartHolder } from '@tollgate/api'
import { mayRead, mayWrite, optionAsksForProof, type SettingValues } from '@tollgate/api/settings'
import { Refusal } from '../lib/refusal.ts'
import type { AuditEvent, ProvableActor } from '../records/audit-log/audit-log.ts'
import type { AuditRecord } from '../store/log/audit-log.ts'
import type { Store } from '../store/store.ts'
import type { ChangeOptions } from './change-options.ts'
import {
  type EntryChange,
  editedGroup,
  entriesOfGroup,
  fieldsBefore,
  groupFields,
  groupOptions,
  removedEntries,
  renamedEntries,
  settingsOfGroup,
} from './group-settings.ts'
import type { SettingsReader } from './settings.ts'

interface Dependencies {
  readonly store: Pick<Store, 'groupMembers'>
  readonly settings: SettingsReader
  readonly changeOptions: Pick<ChangeOptions, 'changeTogether'>
}

/** Groups as one thing each. What the options store of a group changes in one transaction, with one record and one undo. */
export interface ManageGroups {
  /** Groups that have a ratio, are open to users or have members; fields that the reader may not read are left out. */
  list(reader: PartHolder): Promise<readonly GroupRow[]>
  writableFields(writer: PartHolder): readonly GroupField[]
  create(actor: ProvableActor, name: string, fields: GroupChange, consent: Consent): Promise<void>
  update(actor: ProvableActor, name: string, edit: GroupEdit, consent: Consent): Promise<void>
  rename(actor: ProvableActor, from: string, to: string, consent: Consent): Promise<void>
  remove(actor: ProvableActor, name: string, consent: Consent): Promise<void>
  /** Takes a recorded change of a group back. */
  revert(actor: ProvableActor, record: AuditRecord, consent: Consent): Promise<void>
}

/** Edit of a group, with the fields that it was made on. */
export interface GroupEdit {
  readonly fields: GroupChange
  readonly base?: GroupChange | undefined
}

export function createManageGroups({ store, settings, changeOptions }: Dependencies): ManageGroups {
  async function create(
    actor: ProvableActor,
    name: string,
    fields: GroupChange,
    consent: Consent,
  ): Promise<void> {
    let after: object = {}
    await changeOptions.changeTogether(
      actor,
      (now) => {
        refuseTaken(now, name)
        // What a former group of the name left behind holds no longer, but for what the actor cannot write.
        const left = { ...settingsOfGroup(noEntries, name), ...unwritable(actor, now, name) }
        const group = editedGroup(left, fields)
        after = group
        return proven(actor, entriesOfGroup(now, name, group))
      },
      () => groupEvent('group.create', name, {}, after),
      consent,
    )
  }

  async function update(
    actor: ProvableActor,
    name: string,
    edit: GroupEdit,
    consent: Consent,
  ): Promise<void> {
    let [before, after]: [object, object] = [{}, {}]
    await changeOptions.changeTogether(
      actor,
      (now) => {
        refuseUnknown(now, name)
        const current = settingsOfGroup(now, name)
        const edited = editedGroup(current, edit.fields, edit.base)
        before = current
        after = edited
        return proven(actor, entriesOfGroup(now, name, edited))
      },
      () => groupEvent('group.update', name, before, after),
      consent,
    )
  }

  async function rename(actor: ProvableActor, from: string, to: string, consent: Consent): Promise<void> {
    await changeOptions.changeTogether(
      actor,
      (now) => {
        refuseUnknown(now, from)
        refuseTaken(now, to)
        return proven(actor, renamedEntries(now, from, to))
      },
      () => groupEvent('group.rename', from, { name: from }, { name: to }),
      { ...consent, moves: { ...consent.moves, [from]: to } },
    )
  }

  async function remove(actor: ProvableActor, name: string, consent: Consent): Promise<void> {
    let before: object = {}
    await changeOptions.changeTogether(
      actor,
      (now) => {
        refuseUnknown(now, name)
        before = settingsOfGroup(now, name)
        // What the actor cannot write is left behind: nobody is in the group.
        const entries = removedEntries(now, name).filter(
          ({ key }) => key === 'GroupRatio' || mayWrite(actor, key, now),
        )
        return proven(actor, entries)
      },
      () => groupEvent('group.remove', name, before, {}),
      consent,
    )
  }

  const groups = { create, update, rename, remove }
  return {
    ...groups,
    list: (reader) => listGroups({ store, settings }, reader),
    writableFields: (writer) =>
      groupFields.filter((field) => mayWrite(writer, groupOptions[field], settings.current)),
    revert: (actor, record, consent) => revertGroup(groups, actor, record, consent),
  }
}

async function listGroups(
  { store, settings: { current } }: Pick<Dependencies, 'store' | 'settings'>,
  reader: PartHolder,
): Promise<readonly GroupRow[]> {
  const members = await store.groupMembers.countAll()
  const named = [current.GroupRatio, current.UserUsableGroups].flatMap((map) => Object.keys(map))
  return [...new Set([...named, ...members.keys()])].map((name) => ({
    name,
    has_ratio: Object.hasOwn(current.GroupRatio, name),
    ...readable(reader, settingsOfGroup(current, name)),
    ...(members.get(name) ?? { users: 0, tokens: 0, channels: 0 }),
  }))
}

/** Makes the change that leads back, by the rules and with the record of a change of its own. */
async function revertGroup(
  groups: Pick<ManageGroups, 'create' | 'update' | 'rename' | 'remove'>,
  actor: ProvableActor,
  record: AuditRecord,
  consent: Consent,
): Promise<void> {
  const { targetName: name } = record
  const [before, after] = [stateIn(record.before), stateIn(record.after)]
  switch (record.action) {
    case 'group.create':
      return groups.remove(actor, name, consent)
    case 'group.remove':
      return groups.create(actor, name, fieldsBefore(before), consent)
    case 'group.rename':
      return groups.rename(actor, String(after['name']), name, consent)
    default: {
      const edit = { fields: fieldsBefore(before), base: fieldsBefore(after) }
      return groups.update(actor, name, edit, consent).catch(refuseChangedSince)
    }
  }
}

/** Options without any group. */
const noEntries = {
  GroupRatio: {},
  UserUsableGroups: {},
  TopupGroupRatio: {},
  ModelRequestRateLimitGroup: {},
  GroupRateLimits: {},
}

function refuseTaken({ GroupRatio }: SettingValues, group: string): void {
  if (Object.hasOwn(GroupRatio, group)) throw new Refusal('group_name_taken', { group })
}

function refuseUnknown({ GroupRatio }: SettingValues, group: string): void {
  if (!Object.hasOwn(GroupRatio, group)) throw new Refusal('group_unknown', { group })
}

function unwritable(actor: ProvableActor, now: SettingValues, name: string): Partial<GroupSettings> {
  return fieldsOf(settingsOfGroup(now, name), (field) => !mayWrite(actor, groupOptions[field], now))
}

function readable(reader: PartHolder, group: GroupSettings): Partial<GroupSettings> {
  return fieldsOf(group, (field) => mayRead(reader, groupOptions[field]))
}

function fieldsOf(group: GroupSettings, isChosen: (field: GroupField) => boolean): Partial<GroupSettings> {
  return Object.fromEntries(groupFields.filter(isChosen).map((field) => [field, group[field]]))
}

/** The entries of a change, once the actor has proven whose session it is, where an option among them asks for that. */
function proven(actor: ProvableActor, changes: readonly EntryChange[]): readonly EntryChange[] {
  if (changes.some(({ key }) => optionAsksForProof(key))) actor.requireProof()
  return changes
}

function refuseChangedSince(error: unknown): never {
  throw error instanceof Refusal && error.code === 'edit_conflict'
    ? new Refusal('audit_changed_since')
    : error
}

function groupEvent(
  action: 'group.create' | 'group.update' | 'group.rename' | 'group.remove',
  name: string,
  before: object,
  after: object,
): AuditEvent {
  return { action, target: { kind: 'group', name }, before, after }
}

function stateIn(text: string): Readonly<Record<string, unknown>> {
  return text === '' ? {} : (JSON.parse(text) as Readonly<Record<string, unknown>>)
}
