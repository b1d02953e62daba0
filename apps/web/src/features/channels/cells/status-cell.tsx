import type { Channel } from '@tollgate/api'
import { CircleHelp } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Popover } from '../../../components/ui/popover.tsx'
import { StatusDot } from '../../../components/ui/tag.tsx'
import { channelState } from '../channel-state.ts'
import { useStateSentence } from '../state-sentence.ts'

/** Dot and word; what is behind them in one sentence on hover, focus and press. */
export function StatusCell({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation('channels')
  const state = channelState(channel)
  const sentence = useStateSentence(state)
  const keysOut = state.word === 'enabled' && sentence !== undefined
  const word = (
    <StatusDot tone={keysOut ? 'warn' : state.tone}>
      {t(`state.${state.word}`)}
      {keysOut && (
        <span className="figures ml-1 text-muted">{`${state.keysInService}/${state.keyCount}`}</span>
      )}
    </StatusDot>
  )
  if (sentence === undefined) return word
  return (
    <Popover
      label={t('state.why')}
      openOnHover
      className="w-80 text-xs"
      trigger={
        <button type="button" className="group/why inline-flex items-center gap-1 rounded-sm max-sm:min-h-11">
          {word}
          <CircleHelp className="size-3 shrink-0 text-faint group-hover/why:text-text" aria-hidden />
          <span className="sr-only">{t('state.why')}</span>
        </button>
      }
    >
      <p className="break-words">{sentence}</p>
    </Popover>
  )
}
