import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../../../lib/api/api-client.ts'
import { confirm } from '../../../../lib/confirm.ts'
import { toast } from '../../../../lib/toast.ts'
import { channelApi } from '../../api.ts'
import { type IntendedChange, readStops, type UndoneChange, undoChannelChanges } from './api.ts'
import { stopsText } from './stops-text.ts'

/** Texts of the question before something stops. */
export interface StopQuestion {
  readonly title: string
  readonly confirmLabel: string
  /** Said before what stops, of what cannot be taken back. */
  readonly warning?: string
  /** Asks also where nothing stops. */
  readonly always?: boolean
}

/** Question before channels stop, and the way back after it. */
export interface Stops {
  /** Says what an intended change stops, and asks; resolves with true at once where it stops nothing. */
  readonly ask: (change: IntendedChange, question: StopQuestion) => Promise<boolean>
  /** Says what was changed, with a way back for half a minute. */
  readonly offerUndo: (message: string, action: UndoneChange, ids: readonly number[]) => void
}

/** Returns the question before channels stop, and the way back after it. */
export function useStops(): Stops {
  const { t } = useTranslation('channels')
  const client = useQueryClient()

  async function describe(
    change: IntendedChange,
  ): Promise<{ readonly text: string; readonly isNothing: boolean }> {
    try {
      const stops = await readStops(change)
      return { text: stopsText(stops, t), isNothing: stops.model_count === 0 }
    } catch (cause) {
      if (!(cause instanceof ApiError)) throw cause
      return { text: t('stops.unknown', { reason: cause.message }), isNothing: false }
    }
  }

  async function undo(action: UndoneChange, ids: readonly number[]): Promise<void> {
    try {
      await undoChannelChanges(action, ids)
      toast.success(t('stops.undone', { count: ids.length }))
    } catch (cause) {
      toast.error(cause instanceof Error ? cause.message : String(cause))
    }
    await channelApi.lists.refresh(client)
  }

  return {
    async ask(change, { title, confirmLabel, warning, always = false }) {
      const stops = await describe(change)
      if (stops.isNothing && !always) return true
      const description = [warning, stops.text].filter(Boolean).join('\n')
      return await confirm({ title, description, confirmLabel, danger: true })
    },
    offerUndo: (message, action, ids) => toast.undo(message, t('stops.undo'), () => void undo(action, ids)),
  }
}
