import { useQueryClient } from '@tanstack/react-query'
import i18next from 'i18next'
import { currentLanguage, loadOwnTexts, translate } from '../../i18n/index.ts'
import { ApiError } from '../../lib/api/api-client.ts'
import { useMoneyDisplay } from '../../lib/api/status.ts'
import { confirm, type Question } from '../../lib/confirm.ts'
import { toast } from '../../lib/toast.ts'
import { type Changed, type IntendedChange, readStops, undoChanges } from './api.ts'
import type { ChangeKind } from './stops-text.ts'

/** Texts of the question before something stops. */
export interface StopQuestion {
  readonly title: string
  readonly confirmLabel: string
  /** Said before what stops, of what cannot be taken back. */
  readonly warning?: string
  /** Asks also where nothing stops and nobody is concerned. */
  readonly always?: boolean
  readonly kind?: ChangeKind
}

/** Question before something stops or costs otherwise, and the way back after it. */
export interface Stops {
  /** Says what an intended change does, and asks; resolves with true at once where it concerns nobody. */
  readonly ask: (change: IntendedChange, question: StopQuestion) => Promise<boolean>
  /** Says what was changed, with a way back for half a minute. */
  readonly offerUndo: (message: string, changes: readonly Changed[]) => void
}

/** Loads the texts of the question, which few visits of a page come to. */
async function loadWords() {
  await loadOwnTexts('stops')
  return i18next.getFixedT(null, 'stops')
}

/** Loads what makes sentences of a change. */
const loadSentences = () => import('./stops-text.ts')

/**
 * Returns the question before a change, and the way back after it.
 * @param refresh reads again what an undo has changed
 */
export function useStops(refresh?: () => Promise<unknown>): Stops {
  const client = useQueryClient()
  const display = useMoneyDisplay()

  async function describe(
    change: IntendedChange,
    intended: ChangeKind,
  ): Promise<Pick<Question, 'more'> & { readonly text: string; readonly isNothing: boolean }> {
    const [t, { stopsText }] = await Promise.all([loadWords(), loadSentences()])
    try {
      const stops = await readStops(change)
      const kind = stops.key ? 'key' : intended
      // A charge that nobody pays at the moment is saved as any other field is.
      const isUsed = kind === 'key' ? stops.attempts + (stops.key?.tasks ?? 0) > 0 : stops.calls > 0
      const isNothing = stops.model_count === 0 && (kind === 'channels' || !isUsed)
      return { ...stopsText(stops, kind, t, currentLanguage(), display), isNothing }
    } catch (cause) {
      // A revert that is refused is refused before its question, too.
      if (!(cause instanceof ApiError) || change.record !== undefined) throw cause
      return { text: t('unknown', { reason: cause.message }), isNothing: false }
    }
  }

  async function undo(changes: readonly Changed[]): Promise<void> {
    const t = await loadWords()
    try {
      const count = await undoChanges(changes)
      if (count > 0) toast.success(t('undone', { count }))
      else toast.error(t('noRecord'))
    } catch (cause) {
      toast.error(cause instanceof Error ? cause.message : String(cause))
    }
    await (refresh?.() ?? client.invalidateQueries())
  }

  return {
    async ask(change, { title, confirmLabel, warning, always = false, kind = 'channels' }) {
      const { text, isNothing, more } = await describe(change, kind)
      if (isNothing && !always) return true
      const description = [warning, text].filter(Boolean).join('\n')
      return await confirm({ title, description, confirmLabel, danger: true, ...(more && { more }) })
    },
    offerUndo: (message, changes) => toast.undo(message, translate('toast.undo'), () => void undo(changes)),
  }
}
