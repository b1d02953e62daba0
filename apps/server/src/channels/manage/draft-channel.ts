import { type ChannelDraftBody, type ChannelDraftTest, type Role, standardChannelType } from '@tollgate/api'
import type { Language } from '@tollgate/api/errors'
import { inParallel } from '../../lib/async/in-parallel.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { AuditLog, ProvableActor } from '../../records/audit-log/audit-log.ts'
import type { ChannelRepository } from '../../store/channels/channels.ts'
import { compileChannel, type StoredFields } from '../routing/compile-channel.ts'
import { ModelNames } from '../routing/model-names.ts'
import { providerOf } from '../routing/provider-of.ts'
import type { RoutedChannel } from '../routing/routing-types.ts'
import type { CallFailure } from '../testing/call-failure.ts'
import { keyToTest } from '../testing/channel-tester.ts'
import { type TestCallDependencies, type TestResult, testCall } from '../testing/test-call.ts'
import { RouteChecks } from './channel-address.ts'
import { type RouteSetter, readUpdate } from './channel-change.ts'
import { keyHint, openKeys, parseKeys } from './channel-keys.ts'
import { type NewChannelDependencies, readNewChannel } from './new-channel.ts'

export interface DraftDependencies extends NewChannelDependencies {
  readonly channels: Pick<ChannelRepository, 'find'>
}

export interface TestDraftDependencies extends DraftDependencies, TestCallDependencies {
  readonly auditLog: AuditLog
}

/**
 * One small real call with every key of a channel as it stands in a form. Stores nothing about the channel; the audit log records
 * who tested. Throws `Refusal` for the first invalid field.
 */
export async function testDraft(
  body: ChannelDraftBody,
  actor: ProvableActor,
  language: Language,
  deps: TestDraftDependencies,
): Promise<ChannelDraftTest> {
  const channel = await draftChannel(body, actor, deps)
  if (channel.models.size === 0) throw new Refusal('channel_models_required')
  const { id, name } = channel
  await deps.auditLog.record(actor, { action: 'channel.test', target: { kind: 'channel', id, name } })
  const results = await testKeys(channel, deps)
  const failed = results.filter(({ failure }) => failure !== undefined)
  const first = failed[0] ?? results[0]
  if (first === undefined) throw new Refusal('channel_key_required')
  const { model, ms, status, failure } = first
  return {
    passed: failed.length === 0,
    model,
    time: ms / 1000,
    status,
    message: failure === undefined ? '' : reasonOf(failure, language),
    tested_keys: results.length,
    failed_keys: failed.map(({ keyIndex, status: ofKey, failure: why }) => ({
      hint: keyHint(channel.keys[keyIndex] ?? ''),
      status: ofKey,
      message: why === undefined ? '' : reasonOf(why, language),
    })),
  }
}

/** Keys that are tried at a time. */
const atOnce = 4
/** More keys than these are not tried: the form says how many were. */
const maxTestedKeys = 50

/** Tries every key that would be in service, in their order. */
async function testKeys(channel: RoutedChannel, deps: TestCallDependencies): Promise<TestResult[]> {
  const inService = [...channel.keys.keys()].filter((index) => !channel.disabledKeys.has(index))
  const indexes = inService.length > 0 ? inService.slice(0, maxTestedKeys) : [keyToTest(channel)]
  const results: TestResult[] = []
  await inParallel(indexes, atOnce, async (index) => {
    results.push(await testCall(channel, index, undefined, deps))
  })
  return results.toSorted((a, b) => a.keyIndex - b.keyIndex)
}

/** Beside the status: what the upstream said, else what happened. */
function reasonOf({ said: stated, code, details }: CallFailure, language: Language): string {
  return stated ?? new Refusal(code, details).publicMessage(language)
}

/** The id of a channel that is in no store. */
const unsaved = 0

/**
 * A channel as routing would know it if the form were saved, with the rules of saving: who may send stored keys to
 * another address, and which addresses are open. Name and models may still be missing.
 */
export async function draftChannel(
  { id, name, models, ...sent }: ChannelDraftBody,
  setter: RouteSetter,
  deps: DraftDependencies,
): Promise<RoutedChannel> {
  // What is not typed yet does not matter to the upstream.
  const body = { ...sent, ...(name?.trim() && { name }), ...(models?.trim() && { models }) }
  const draft =
    id === undefined
      ? await newDraft(body, setter.role, deps)
      : await changedDraft({ ...body, id }, setter, deps)
  const { fields, keys } = draft
  const provider = providerOf(fields.type, deps.providerFor)
  return compileChannel(fields, provider, { keys, since: 0 }, new ModelNames(), ignoreUnreadable)
}

interface Draft {
  readonly fields: StoredFields
  readonly keys: readonly string[]
}

async function newDraft(
  { type = standardChannelType, key = '', ...sent }: Omit<ChannelDraftBody, 'id'>,
  role: Role,
  deps: DraftDependencies,
): Promise<Draft> {
  providerOf(type, deps.providerFor)
  const keys = parseKeys(key, type)
  if (keys.length === 0) throw new Refusal('channel_key_required')
  const fields = await readNewChannel({ ...sent, type }, keys, role, deps)
  return { fields: { ...fields, id: unsaved, keyStates: [] }, keys }
}

async function changedDraft(
  body: ChannelDraftBody & { readonly id: number },
  setter: RouteSetter,
  deps: DraftDependencies,
): Promise<Draft> {
  const channel = await deps.channels.find(body.id)
  if (channel === undefined) throw new Refusal('record_not_found')
  const checks = new RouteChecks(setter.role, deps.guard)
  const { change } = await checks.decide(async () => readUpdate(channel, body, { setter, checks }, deps))
  const fields = { ...channel, ...change }
  const typed = parseKeys(body.key ?? '', fields.type)
  return { fields, keys: typed.length > 0 ? typed : openKeys(channel, deps.vault) }
}

/** A stored field that another version wrote: calls go on without it, and so does the draft. */
function ignoreUnreadable(): void {}
