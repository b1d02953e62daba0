import type { JsonSchema, OpenApiDocument, OpenApiOperation } from '@tollgate/api/openapi'
import { ChevronRight } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { CodeBlock } from '../../components/ui/copy.tsx'
import { Tag, type Tone } from '../../components/ui/tag.tsx'
import { currentLanguage } from '../../i18n/index.ts'
import { localList } from '../../i18n/local-list.ts'
import { useServerAddress } from '../../lib/api/status.ts'
import { cx } from '../../lib/cx.ts'
import { curlOf } from './curl.ts'
import { type FieldRow, fieldRows } from './fields.ts'
import type { DocumentedCall } from './groups.ts'

const methodTones: Readonly<Record<string, Tone>> = { GET: 'info', POST: 'good', PUT: 'warn', DELETE: 'bad' }

interface Props {
  readonly document: OpenApiDocument
  readonly call: DocumentedCall
  readonly open: boolean
  /** The page was opened by a link to it. */
  readonly linked: boolean
  readonly onToggle: () => void
}

/** One line of the list, and behind a press everything about the call. */
export function CallItem({ document, call, open, linked, onToggle }: Props) {
  const { t } = useTranslation('docs')
  const { method, path, operation } = call
  return (
    <li ref={linked ? bringIntoView : null} className="scroll-mt-4 max-sm:scroll-mt-18">
      <h3>
        <button
          type="button"
          aria-expanded={open}
          onClick={onToggle}
          className="grid w-full grid-cols-[auto_4rem_minmax(0,1fr)_auto] items-center gap-x-3 px-3 py-2 text-left hover:bg-row-hover max-sm:min-h-11 max-sm:grid-cols-[auto_minmax(0,1fr)_auto]"
        >
          <ChevronRight
            className={cx('size-3.5 shrink-0 text-faint transition-transform', open && 'rotate-90')}
            aria-hidden
          />
          <Tag mono tone={methodTones[method] ?? 'neutral'} className="w-fit max-sm:hidden">
            {method}
          </Tag>
          <span className="min-w-0">
            <span className="block break-words font-mono text-xs">
              <span className="sm:hidden">{method} </span>
              {path}
            </span>
            <span className="block text-muted text-xs">
              {currentLanguage() === 'zh' ? operation['x-summary-zh'] : operation.summary}
            </span>
          </span>
          <Tag>{t(`access.${operation['x-access']}`)}</Tag>
        </button>
      </h3>
      {open && <CallDetails document={document} call={call} />}
    </li>
  )
}

function bringIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView()
}

interface CallProps {
  readonly document: OpenApiDocument
  readonly call: DocumentedCall
}

/** One call: its parameters, its response, its refusals, and a command to try it. */
function CallDetails({ document, call }: CallProps) {
  const { t } = useTranslation('docs')
  const { operation } = call
  const address = useServerAddress()
  const code = curlOf(document, call, address)
  return (
    <div className="flex flex-col gap-4 border-t bg-page px-4 py-4">
      <p className="max-w-[75ch] text-muted text-sm">{t(`who.${operation['x-access']}`)}</p>
      <Notes operation={operation} />
      <CodeBlock code={code} label={t('copyCurl')} />
      <Tables document={document} operation={operation} />
      <Responses operation={operation} />
      <Refusals document={document} operation={operation} />
    </div>
  )
}

function Notes({ operation }: { readonly operation: OpenApiOperation }) {
  const { t } = useTranslation('docs')
  const also = operation['x-also-at']
  const notes = [
    operation['x-session-only'] && t('sessionOnly'),
    operation['x-critical'] && t('critical'),
    operation['x-changes'] && t('changes'),
    also !== undefined && t('alsoAt', { path: also }),
  ].filter((note) => typeof note === 'string')
  if (notes.length === 0) return null
  return (
    <ul className="list-disc pl-5 text-muted text-xs">
      {notes.map((note) => (
        <li key={note} className="break-words">
          {note}
        </li>
      ))}
    </ul>
  )
}

function Tables({
  document,
  operation,
}: {
  readonly document: OpenApiDocument
  readonly operation: OpenApiOperation
}) {
  const { t } = useTranslation('docs')
  const tables = [
    { caption: t('parameters'), rows: parameterRows(document, operation) },
    { caption: t('body'), rows: bodyRows(document, operation) },
    { caption: t('answer'), rows: responseRows(document, operation) },
  ]
  return tables
    .filter(({ rows }) => rows.length > 0)
    .map(({ caption, rows }) => <FieldsTable key={caption} caption={caption} rows={rows} />)
}

function parameterRows(document: OpenApiDocument, { parameters }: OpenApiOperation): readonly FieldRow[] {
  const properties = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]))
  const required = parameters.filter((each) => each.required).map(({ name }) => name)
  return fieldRows(document, { type: 'object', properties, required })
}

function bodyRows(document: OpenApiDocument, { requestBody }: OpenApiOperation): readonly FieldRow[] {
  const [content] = Object.values(requestBody?.content ?? {})
  return content?.schema === undefined ? [] : fieldRows(document, content.schema)
}

/** Fields of the envelope when all is well; its `success` and `message` are the same everywhere. */
function responseRows(document: OpenApiDocument, { responses }: OpenApiOperation): readonly FieldRow[] {
  const schema = responses['200']?.content?.['application/json']?.schema
  const [done] = (schema?.['oneOf'] ?? []) as readonly JsonSchema[]
  if (done === undefined) return []
  return fieldRows(document, done)
    .filter(({ name }) => name !== 'success' && name !== 'message')
    .map((row) => ({ ...row, required: false }))
}

function Responses({ operation }: { readonly operation: OpenApiOperation }) {
  const { t } = useTranslation('docs')
  return (
    <div>
      <h4 className="mb-1.5 font-semibold text-xs">{t('statuses')}</h4>
      <ul className="flex flex-col gap-1 text-xs">
        {Object.entries(operation.responses).map(([status, { content }]) => (
          <li key={status} className="flex flex-wrap gap-x-3">
            <span className="figures w-8 font-mono">{status}</span>
            <span className="break-words text-muted">
              {[t(Number(status) < 400 ? 'done' : 'refused'), ...Object.keys(content ?? {})].join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

type Sentences = Readonly<Record<string, Readonly<Record<'en' | 'zh', string>>>>

function Refusals({
  document,
  operation,
}: {
  readonly document: OpenApiDocument
  readonly operation: OpenApiOperation
}) {
  const { t } = useTranslation('docs')
  const sentences = document.components.schemas['RefusalCode']?.['x-sentences'] as Sentences | undefined
  const codes = operation['x-refusals'] ?? []
  if (codes.length === 0) return null
  return (
    <details className="text-xs">
      <summary className="w-fit cursor-pointer rounded font-semibold">
        {t('refusals', { count: codes.length })}
      </summary>
      <dl className="mt-2 grid grid-cols-[minmax(0,14rem)_minmax(0,1fr)] gap-x-4 gap-y-1 max-sm:grid-cols-1">
        {codes.map((code) => (
          <div key={code} className="contents">
            <dt className="break-words font-mono">{code}</dt>
            <dd className="text-muted max-sm:mb-1.5">{sentences?.[code]?.[currentLanguage()]}</dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** Fields with their types and limits: a table on a desk, a list on a phone. */
function FieldsTable({ rows, caption }: { readonly rows: readonly FieldRow[]; readonly caption: string }) {
  const { t } = useTranslation('docs')
  return (
    <div className="min-w-0">
      <h4 className="mb-1.5 font-semibold text-xs">{caption}</h4>
      <ul className="divide-y rounded border bg-surface text-xs">
        {rows.map(({ name, type, required, limits }) => (
          <li
            key={name}
            className="grid grid-cols-[minmax(0,16rem)_minmax(0,9rem)_minmax(0,1fr)] gap-x-4 px-3 py-1.5 max-sm:flex max-sm:flex-wrap"
          >
            <span className="break-words font-mono max-sm:w-full">
              {name}
              {required && (
                <span className="text-bad" title={t('required')}>
                  <span aria-hidden>*</span>
                  <span className="sr-only">{t('required')}</span>
                </span>
              )}
            </span>
            <span className="break-words font-mono text-muted">{type}</span>
            <span className="break-words text-muted">
              {localList(limits.map(({ bound, value }) => t(`limit.${bound}`, { value })))}
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}
