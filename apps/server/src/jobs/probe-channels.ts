import type { Clock } from '@tollgate/base'
import type { ChannelControl } from '../channels/channel-switch.ts'
import type { ChannelTester } from '../channels/channel-tester.ts'
import { inParallel } from '../channels/in-parallel.ts'
import type { ChannelSnapshot, RoutedChannel } from '../channels/routing-types.ts'
import { slowness } from '../channels/test-all-channels.ts'
import type { SettingsReader } from '../settings/settings.ts'

export interface ProbeDependencies {
  readonly directory: { readonly snapshot: ChannelSnapshot }
  readonly tester: ChannelTester
  readonly control: ChannelControl
  readonly settings: SettingsReader
  readonly clock: Clock
  /** Pause before the first probe of something that was disabled; doubles after each that fails. */
  readonly firstPauseMs: number
}

/** An automatically disabled key, or the only key of a disabled channel. */
interface Patient {
  readonly channel: RoutedChannel
  readonly keyIndex: number
}

interface Appointment {
  at: number
  pauseMs: number
}

const longestPauseMs = 30 * 60_000
const atOnce = 4

/**
 * Probes automatically disabled channels and keys with a small real call, less and less often, and puts back those
 * that pass. What a person disabled is left alone, and nothing is probed unless the operator's option says so.
 */
export function createProbeChannels(deps: ProbeDependencies): (signal: AbortSignal) => Promise<void> {
  const longestMs = Math.max(longestPauseMs, deps.firstPauseMs)
  let appointments = new Map<string, Appointment>()

  /** Who is due now. Whoever recovered or was deleted loses the appointment. */
  function due(): readonly Patient[] {
    const now = deps.clock.now()
    const next = new Map<string, Appointment>()
    const patients = deps.directory.snapshot.channels.flatMap(patientsOf).filter((patient) => {
      const name = nameOf(patient)
      const known = appointments.get(name) ?? { at: now + deps.firstPauseMs, pauseMs: deps.firstPauseMs }
      next.set(name, known)
      return known.at <= now
    })
    appointments = next
    return patients
  }

  async function probe(patient: Patient, signal: AbortSignal): Promise<void> {
    const { channel, keyIndex } = patient
    const result = await deps.tester.test(channel, keyIndex, undefined, signal)
    if (result.failure === undefined && slowness(result, deps.settings) === undefined) {
      appointments.delete(nameOf(patient))
      return deps.control.enable(channel.id, keyIndex, `a probe passed (model ${result.model})`)
    }
    const appointment = appointments.get(nameOf(patient))
    if (appointment === undefined) return
    appointment.pauseMs = Math.min(appointment.pauseMs * 2, longestMs)
    appointment.at = deps.clock.now() + appointment.pauseMs
  }

  return async (signal) => {
    if (!deps.settings.current.AutomaticEnableChannelEnabled) {
      appointments.clear()
      return
    }
    await inParallel(due(), atOnce, (patient) => probe(patient, signal), signal)
  }
}

function patientsOf(channel: RoutedChannel): readonly Patient[] {
  if (channel.status === 'disabled') return []
  const disabled = [...channel.disabledKeys.keys()].map((keyIndex) => ({ channel, keyIndex }))
  // Disabled without a disabled key: its only key was refused, or it was too slow.
  if (disabled.length === 0 && channel.status === 'auto-disabled') return [{ channel, keyIndex: 0 }]
  return disabled
}

function nameOf({ channel, keyIndex }: Patient): string {
  return `${channel.id}/${keyIndex}`
}
