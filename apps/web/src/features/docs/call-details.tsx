import type { JsonSchema, OpenApiDocument, OpenApiOperation } from '@tollgate/api/openapi'
import { useTranslation } from 'react-i18next'
import { CodeBlock } from '../../components/ui/copy.tsx'
import { currentLanguage } from '../../i18n/index.ts'
import { useServerAddress } from '../../lib/status.ts'
import { curlOf } from './curl.ts'
import { type FieldRow, fieldRows } from './fields.ts'
import { FieldsTable } from './fields-table.tsx'
import type { DocumentedCall } from './groups.ts'

interface Props {
  readonly document: OpenApiDocument
  readonly call: DocumentedCall
}

/** Everything about one call: what it takes, what it answers, how it refuses, and a command to try it. */
export function CallDetails({ document, call }: Props) {
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
