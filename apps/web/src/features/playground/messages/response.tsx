import { Link } from '@tanstack/react-router'
import { Brain, ChevronRight, CircleX, RotateCw } from 'lucide-react'
import { memo, type ReactNode, Suspense, useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton } from '../../../components/ui/button.tsx'
import { CopyButton, CopyText } from '../../../components/ui/copy.tsx'
import { LinkButton } from '../../../components/ui/link-button.tsx'
import { Money } from '../../../components/ui/money.tsx'
import { cx } from '../../../lib/cx.ts'
import { formatDuration, formatInteger } from '../../../lib/format/format.ts'
import { lazyComponent } from '../../../lib/lazy-component.ts'
import { hasPart, useUser } from '../../../lib/session/session.ts'
import type { ResponseError } from '../chat/response-part.ts'
import { type AssistantMessage, isOpen } from '../chat/thread.ts'
import { leftEarly } from '../library/read-conversation.ts'
import { failureText, mendOf } from './failure-text.ts'
import { ResponseImages, ResponseSound, ToolCallBox } from './response-media.tsx'

const loadMarkdown = () => import('./markdown.tsx')
const MarkdownText = lazyComponent(loadMarkdown, 'MarkdownText')

export interface AssistantResponseProps {
  readonly response: AssistantMessage
  readonly onRetry: (id: string) => void
}

/** Shows the response of a model, or the reason for none. */
export const AssistantResponse = memo(function AssistantResponse({
  response,
  onRetry,
}: AssistantResponseProps) {
  const { t } = useTranslation('playground')
  const { status, content, reasoning, images, audio, toolCalls, error } = response
  const open = isOpen(response)
  return (
    <article aria-busy={open} aria-label={t('answerOf', { model: response.model })} className="group min-w-0">
      <p className="mb-1.5 flex items-baseline gap-2 text-muted text-xs">
        <span className="truncate font-medium font-mono text-text">{response.model}</span>
        {response.group !== '' && <span className="truncate">{response.group}</span>}
      </p>
      <div className="flex flex-col gap-3">
        {reasoning !== '' && <Reasoning text={reasoning} thinking={open && content === ''} />}
        {status === 'loading' && <Waiting />}
        {content !== '' && <ResponseText text={content} />}
        {images.length > 0 && <ResponseImages urls={images} model={response.model} />}
        {audio.length > 0 && !open && <ResponseSound pieces={audio} model={response.model} />}
        {toolCalls.map((call, at) => (
          // Two calls of one function may be alike: their order is what they have.
          // biome-ignore lint/suspicious/noArrayIndexKey: the list only grows
          <ToolCallBox key={at} call={call} />
        ))}
        {error && <Failure response={response} error={error} onRetry={onRetry} />}
        {status === 'complete' && <EndNote response={response} />}
      </div>
      {!open && (
        <div className="mt-2 flex min-h-control-sm flex-wrap items-center gap-x-3 gap-y-1">
          <ResponseFacts response={response} />
          <span className="flex items-center opacity-0 transition-opacity focus-within:opacity-100 group-hover:opacity-100 max-sm:opacity-100 [@media(hover:none)]:opacity-100">
            {content !== '' && <CopyButton value={content} label={t('copyAnswer')} />}
            {!error && (
              <IconButton icon={RotateCw} label={t('retry')} size="sm" onClick={() => onRetry(response.id)} />
            )}
          </span>
        </div>
      )}
    </article>
  )
})

/** Rendering a long response takes longer than its next piece; the newest text may lag one step. */
function ResponseText({ text }: { readonly text: string }) {
  const visible = useDeferredValue(text)
  return (
    <Suspense fallback={<p className="whitespace-pre-wrap">{visible}</p>}>
      <MarkdownText text={visible} />
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

/** Explains why a response ended early. */
function EndNote({ response }: { readonly response: AssistantMessage }): ReactNode {
  const { t } = useTranslation('playground')
  const note = response.stopped
    ? t('end.stopped')
    : response.stopReason === 'length'
      ? t('end.length')
      : response.stopReason === 'content_filter'
        ? t('end.filter')
        : isEmpty(response) && t('end.empty')
  return note && <p className="text-muted text-xs italic">{note}</p>
}

function isEmpty({ content, images, audio, toolCalls }: AssistantMessage): boolean {
  return content === '' && images.length + audio.length + toolCalls.length === 0
}

/** Cost and duration of a response, and a link to the log entry that explains the charge. */
function ResponseFacts({ response }: { readonly response: AssistantMessage }) {
  const { t } = useTranslation('playground')
  const { charge, totalMs, firstTokenMs, requestId, createdAt, group } = response
  const uncharged = charge?.quota === 0
  const tokens = uncharged && response.error ? undefined : (charge ?? response.usage)
  return (
    <p className="figures flex flex-wrap items-center gap-x-3 text-muted text-xs">
      {charge && (
        <span className="text-text">
          <span className="sr-only">{t('facts.price')} </span>
          {uncharged ? t('facts.uncharged') : <Money quota={charge.quota} exact single />}
        </span>
      )}
      {tokens && (
        <span>
          {t('facts.tokens', {
            input: formatInteger(tokens.promptTokens),
            output: formatInteger(tokens.completionTokens),
          })}
        </span>
      )}
      {totalMs !== undefined && (
        <span
          title={
            firstTokenMs === undefined
              ? undefined
              : t('facts.firstToken', { time: formatDuration(firstTokenMs) })
          }
        >
          {formatDuration(totalMs)}
        </span>
      )}
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

interface FailureProps {
  readonly response: AssistantMessage
  readonly error: ResponseError
  readonly onRetry: (id: string) => void
}

/** Explains why a response is missing or incomplete, and what to do. */
function Failure({ response, error, onRetry }: FailureProps) {
  const { t } = useTranslation('playground')
  const { requestId } = response
  const isOperator = hasPart(useUser(), 'log')
  const reason = failureText(error)
  const mend = mendOf(error)
  return (
    <div role="alert" className="rounded bg-bad-soft px-3 py-2.5 text-sm">
      <div className="flex items-start gap-2.5">
        <CircleX className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden />
        <div className="min-w-0 flex-1">
          <p className="font-medium text-bad">
            {t(response.content === '' ? 'error.title' : 'error.brokeOff')}
          </p>
          <p className="mt-0.5 break-words">
            {'message' in reason ? reason.message : t(`error.${reason.known}`)}
          </p>
          {isOperator && !('message' in reason) && error.message !== '' && (
            <p className="mt-1 break-words text-muted text-xs">{error.message}</p>
          )}
          <p className="mt-1.5 flex flex-wrap items-center gap-x-3 text-muted text-xs">
            {isOperator && error.status > 200 && (
              <span className="figures">{t('error.status', { status: error.status })}</span>
            )}
            {isOperator && error.code !== '' && error.code !== leftEarly && (
              <span className="wrap-anywhere font-mono">{error.code}</span>
            )}
            {requestId !== '' && (
              <span className="flex flex-wrap items-center gap-x-1">
                {t('error.requestId')} <CopyText value={requestId} />
              </span>
            )}
          </p>
        </div>
        <div className="flex shrink-0 flex-col gap-2">
          {mend === 'log-in' && (
            <LinkButton
              to="/login"
              search={{ expired: true, redirect: '/playground' }}
              variant="primary"
              size="sm"
            >
              {t('error.logIn')}
            </LinkButton>
          )}
          {mend === 'top-up' && (
            <LinkButton to="/topup" variant="primary" size="sm">
              {t('error.topUp')}
            </LinkButton>
          )}
          <Button size="sm" icon={RotateCw} onClick={() => onRetry(response.id)}>
            {t('retry')}
          </Button>
        </div>
      </div>
    </div>
  )
}

interface ReasoningProps {
  readonly text: string
  /** The response has not started yet. */
  readonly thinking: boolean
}

/** The reasoning of the model, folded. */
function Reasoning({ text, thinking }: ReasoningProps) {
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
