import { Link } from '@tanstack/react-router'
import { Brain, ChevronRight, CircleX, RotateCw } from 'lucide-react'
import { lazy, memo, type ReactNode, Suspense, useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, buttonClass, IconButton } from '../../../components/ui/button.tsx'
import { CopyButton, CopyText } from '../../../components/ui/copy.tsx'
import { cx } from '../../../lib/cx.ts'
import { formatInteger } from '../../../lib/format.ts'
import type { AssistantMessage } from '../chat/conversation.ts'

const loadMarkdown = () => import('./markdown.tsx')
const MarkdownText = lazy(() => loadMarkdown().then((module) => ({ default: module.MarkdownText })))

export interface AnswerProps {
  readonly answer: AssistantMessage
  readonly onRetry: (id: string) => void
}

/** What a model said, or why it did not. */
export const Answer = memo(function Answer({ answer, onRetry }: AnswerProps) {
  const { t } = useTranslation('playground')
  const { status, content, reasoning } = answer
  const open = status === 'loading' || status === 'incomplete'
  return (
    <article aria-busy={open} aria-label={t('answerOf', { model: answer.model })} className="group min-w-0">
      <p className="mb-1.5 flex items-baseline gap-2 text-muted text-xs">
        <span className="truncate font-medium font-mono text-text">{answer.model}</span>
        {answer.group !== '' && <span>{answer.group}</span>}
      </p>
      <div className="flex flex-col gap-3">
        {reasoning !== '' && <Reasoning text={reasoning} thinking={open && content === ''} />}
        {status === 'loading' && <Waiting />}
        {content !== '' && <AnswerText text={content} />}
        {answer.error && <Failure answer={answer} onRetry={onRetry} />}
        {status === 'complete' && <EndNote answer={answer} />}
      </div>
      {!open && !(answer.error && content === '') && (
        <div className="mt-2 flex min-h-control-sm flex-wrap items-center gap-x-3 gap-y-1">
          <Facts answer={answer} />
          <span className="flex items-center opacity-0 transition-opacity focus-within:opacity-100 group-hover:opacity-100 max-sm:opacity-100 [@media(hover:none)]:opacity-100">
            {content !== '' && <CopyButton value={content} label={t('copyAnswer')} />}
            {!answer.error && (
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

/** What the model thought before it answered: there for who wants it. */
function Reasoning({ text, thinking }: { readonly text: string; readonly thinking: boolean }) {
  const { t } = useTranslation('playground')
  return (
    <details className="group/thought rounded border bg-sunken">
      <summary className="flex select-none items-center gap-1.5 px-3 py-1.5 text-muted text-xs max-sm:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-3.5 transition-transform group-open/thought:rotate-90" aria-hidden />
        <Brain className="size-3.5" aria-hidden />
        <span className={cx(thinking && 'animate-pulse')}>{t(thinking ? 'thinking' : 'reasoning')}</span>
      </summary>
      <p className="max-h-72 overflow-y-auto whitespace-pre-wrap border-t px-3 py-2 text-muted text-xs leading-relaxed">
        {text}
      </p>
    </details>
  )
}

/** Why there is no answer, or only half of one, and what to do. */
function Failure({ answer, onRetry }: AnswerProps) {
  const { t } = useTranslation('playground')
  const { error, requestId } = answer
  if (!error) return null
  const message = error.message || (error.status === 0 ? t('error.offline') : t('error.noMessage'))
  return (
    <div role="alert" className="rounded bg-bad-soft px-3 py-2.5 text-sm">
      <div className="flex items-start gap-2.5">
        <CircleX className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden />
        <div className="min-w-0 flex-1">
          <p className="font-medium text-bad">
            {t(answer.content === '' ? 'error.title' : 'error.brokeOff')}
          </p>
          <p className="mt-0.5 break-words">{message}</p>
          <p className="mt-1.5 flex flex-wrap items-center gap-x-3 text-muted text-xs">
            {error.status > 200 && (
              <span className="figures">{t('error.status', { status: error.status })}</span>
            )}
            {error.code !== '' && <span className="font-mono">{error.code}</span>}
            {requestId !== '' && <CopyText value={requestId} />}
          </p>
        </div>
        {error.status === 401 ? (
          <Link to="/login" search={{ redirect: '/playground' }} className={buttonClass('secondary', 'sm')}>
            {t('error.logIn')}
          </Link>
        ) : (
          <Button size="sm" icon={RotateCw} onClick={() => onRetry(answer.id)}>
            {t('retry')}
          </Button>
        )}
      </div>
    </div>
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

/** Tokens, times, and the way to the log entry that explains the charge. */
function Facts({ answer }: { readonly answer: AssistantMessage }) {
  const { t } = useTranslation('playground')
  const { usage, totalMs, firstTokenMs, requestId, createdAt, group } = answer
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  return (
    <p className="figures flex flex-wrap items-center gap-x-3 text-muted text-xs">
      {usage && (
        <span>
          {t('facts.tokens', {
            input: formatInteger(usage.promptTokens),
            output: formatInteger(usage.completionTokens),
          })}
        </span>
      )}
      {firstTokenMs !== undefined && <span>{t('facts.firstToken', { time: seconds(firstTokenMs) })}</span>}
      {totalMs !== undefined && <span>{t('facts.total', { time: seconds(totalMs) })}</span>}
      {requestId !== '' && (
        <Link
          to="/log"
          search={{
            token: `playground-${group}`,
            entry: requestId,
            at: Math.floor((createdAt + (totalMs ?? 0)) / 1000),
          }}
          className="rounded-sm text-accent-text hover:underline max-sm:py-2"
        >
          {t('facts.logEntry')}
        </Link>
      )}
    </p>
  )
}
