import { Brain, ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../../lib/cx.ts'

export interface ReasoningProps {
  readonly text: string
  /** The answer has not begun yet. */
  readonly thinking: boolean
}

/** What the model thought before it answered: there for who wants it. */
export function Reasoning({ text, thinking }: ReasoningProps) {
  const { t } = useTranslation('playground')
  return (
    <details className="group/thought rounded border bg-sunken">
      <summary className="flex select-none items-center gap-1.5 px-3 py-1.5 text-muted text-xs max-sm:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-3.5 transition-transform group-open/thought:rotate-90" aria-hidden />
        <Brain className="size-3.5" aria-hidden />
        <span className={cx(thinking && 'animate-pulse')}>{t(thinking ? 'thinking' : 'reasoning')}</span>
      </summary>
      <p
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable from the keyboard
        tabIndex={0}
        className="max-h-72 overflow-y-auto whitespace-pre-wrap border-t px-3 py-2 text-muted text-xs leading-relaxed focus-visible:-outline-offset-2"
      >
        {text}
      </p>
    </details>
  )
}
