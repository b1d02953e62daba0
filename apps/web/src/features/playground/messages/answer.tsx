import { RotateCw } from 'lucide-react'
import { lazy, memo, type ReactNode, Suspense, useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../../components/ui/button.tsx'
import { CopyButton } from '../../../components/ui/copy.tsx'
import { type AssistantMessage, isOpen } from '../chat/thread.ts'
import { AnswerFacts } from './answer-facts.tsx'
import { Failure } from './failure.tsx'
import { Reasoning } from './reasoning.tsx'

const loadMarkdown = () => import('./markdown.tsx')
const MarkdownText = lazy(() => loadMarkdown().then((module) => ({ default: module.MarkdownText })))

export interface AnswerProps {
  readonly answer: AssistantMessage
  readonly onRetry: (id: string) => void
}

/** What a model said, or why it did not. */
export const Answer = memo(function Answer({ answer, onRetry }: AnswerProps) {
  const { t } = useTranslation('playground')
  const { status, content, reasoning, error } = answer
  const open = isOpen(answer)
  return (
    <article aria-busy={open} aria-label={t('answerOf', { model: answer.model })} className="group min-w-0">
      <p className="mb-1.5 flex items-baseline gap-2 text-muted text-xs">
        <span className="truncate font-medium font-mono text-text">{answer.model}</span>
        {answer.group !== '' && <span className="truncate">{answer.group}</span>}
      </p>
      <div className="flex flex-col gap-3">
        {reasoning !== '' && <Reasoning text={reasoning} thinking={open && content === ''} />}
        {status === 'loading' && <Waiting />}
        {content !== '' && <AnswerText text={content} />}
        {error && <Failure answer={answer} error={error} onRetry={onRetry} />}
        {status === 'complete' && <EndNote answer={answer} />}
      </div>
      {!open && (
        <div className="mt-2 flex min-h-control-sm flex-wrap items-center gap-x-3 gap-y-1">
          <AnswerFacts answer={answer} />
          <span className="flex items-center opacity-0 transition-opacity focus-within:opacity-100 group-hover:opacity-100 max-sm:opacity-100 [@media(hover:none)]:opacity-100">
            {content !== '' && <CopyButton value={content} label={t('copyAnswer')} />}
            {!error && (
              <IconButton icon={RotateCw} label={t('retry')} size="sm" onClick={() => onRetry(answer.id)} />
            )}
          </span>
        </div>
      )}
    </article>
  )
})

/** Drawing a long answer takes longer than its next piece; the newest text may come one step late. */
function AnswerText({ text }: { readonly text: string }) {
  const shown = useDeferredValue(text)
  return (
    <Suspense fallback={<p className="whitespace-pre-wrap">{shown}</p>}>
      <MarkdownText text={shown} />
    </Suspense>
  )
}

function Waiting() {
  const { t } = useTranslation('playground')
  return (
    <p className="flex h-6 items-center gap-1" role="status">
      <span className="sr-only">{t('waiting')}</span>
      {[0, 1, 2].map((dot) => (
        <span
          key={dot}
          aria-hidden
          className="size-1.5 animate-pulse rounded-full bg-faint"
          style={{ animationDelay: `${dot * 160}ms` }}
        />
      ))}
    </p>
  )
}

/** Why an answer ends where it does, when it did not end by itself. */
function EndNote({ answer }: { readonly answer: AssistantMessage }): ReactNode {
  const { t } = useTranslation('playground')
  const note = answer.stopped
    ? t('end.stopped')
    : answer.stopReason === 'length'
      ? t('end.length')
      : answer.stopReason === 'content_filter'
        ? t('end.filter')
        : answer.content === '' && t('end.empty')
  return note && <p className="text-muted text-xs italic">{note}</p>
}
