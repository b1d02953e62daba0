import { type ComponentType, useId, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { findJsonFault, prettyJson } from '../../../lib/format/json-text.ts'
import { Button } from '../button.tsx'
import { useFieldControl, useFieldName } from './field.tsx'
import { Textarea } from './input.tsx'
import type { JsonCodeProps } from './json-code.tsx'

export interface JsonEditorProps {
  readonly value: string
  readonly onValueChange: (value: string) => void
  /** Filled in by the "example" button when the box is empty. */
  readonly example?: string
  readonly rows?: number
  readonly disabled?: boolean
}

/** JSON as text, checked while typing and put in order when left. */
export function JsonEditor({ value, onValueChange, example, rows = 5, disabled = false }: JsonEditorProps) {
  const { t } = useTranslation()
  const fault = findJsonFault(value)
  const problemId = useId()
  return (
    <div className="flex flex-col gap-1.5">
      <JsonBox
        value={value}
        onValueChange={onValueChange}
        disabled={disabled}
        rows={rows}
        example={example}
        problemId={fault && problemId}
      />
      <div className="flex items-center justify-between gap-3">
        <span id={problemId} className="min-w-0 truncate text-bad text-xs" role="status">
          {fault && t('json.invalid', { line: fault.line, problem: fault.problem })}
        </span>
        <span className="flex gap-1">
          {example && value.trim() === '' && (
            <Button variant="ghost" size="sm" disabled={disabled} onClick={() => onValueChange(example)}>
              {t('json.example')}
            </Button>
          )}
          <Button
            variant="ghost"
            size="sm"
            disabled={disabled || fault !== undefined || value.trim() === ''}
            onClick={() => onValueChange(prettyJson(value))}
          >
            {t('json.format')}
          </Button>
        </span>
      </div>
    </div>
  )
}

let JsonCode: ComponentType<JsonCodeProps> | undefined

async function loadCode(): Promise<void> {
  JsonCode ??= (await import('./json-code.tsx')).JsonCode
}

interface JsonBoxProps extends Required<Omit<JsonEditorProps, 'example'>> {
  readonly example: string | undefined
  /** Element that says what is wrong, while something is. */
  readonly problemId: string | undefined
}

/**
 * A plain box until a pointer or the focus comes near; the editor's code loads then and takes over what was typed, with
 * the text cursor where it was.
 */
function JsonBox({ value, onValueChange, disabled, rows, example, problemId }: JsonBoxProps) {
  const plain = useRef<HTMLTextAreaElement>(null)
  const [ready, setReady] = useState(JsonCode !== undefined)
  const [selection, setSelection] = useState<JsonCodeProps['selection']>()
  const composing = useRef(false)
  const attributes = useBoxAttributes(problemId)

  async function prepare(): Promise<void> {
    await loadCode().catch(() => undefined)
    const box = plain.current
    // An input method would lose the word that it is writing: the box stays until it is written.
    if (!JsonCode || box === null || composing.current) return
    // Before the next key: whatever came between would be typed into a box that goes away, or before the cursor.
    flushSync(() => {
      if (document.activeElement === box) setSelection([box.selectionStart, box.selectionEnd])
      setReady(true)
    })
  }
  const leave = () => onValueChange(prettyJson(value))

  if (ready && JsonCode)
    return (
      <JsonCode
        value={value}
        onValueChange={onValueChange}
        onLeave={leave}
        disabled={disabled}
        attributes={attributes}
        selection={selection}
      />
    )
  return (
    <Textarea
      ref={plain}
      mono
      rows={rows}
      value={value}
      disabled={disabled}
      {...(problemId && { 'aria-invalid': true })}
      {...(example && { placeholder: example })}
      onPointerEnter={() => void prepare()}
      onFocus={() => void prepare()}
      onChange={(event) => onValueChange(event.target.value)}
      onCompositionStart={() => {
        composing.current = true
      }}
      onCompositionEnd={() => {
        composing.current = false
        void prepare()
      }}
      onBlur={leave}
    />
  )
}

/** Returns the field's attributes for an element that a label cannot point to. */
function useBoxAttributes(problemId: string | undefined): Readonly<Record<string, string>> {
  const control = useFieldControl()
  const { 'aria-labelledby': labelId } = useFieldName()
  const described = [control['aria-describedby'], problemId].filter(Boolean).join(' ')
  const invalid = control['aria-invalid'] === true || problemId !== undefined
  const { id, 'aria-required': required } = control
  return useMemo(
    () => ({
      ...(id && { id }),
      ...(labelId && { 'aria-labelledby': labelId }),
      ...(described && { 'aria-describedby': described }),
      ...(invalid && { 'aria-invalid': 'true' }),
      ...(required && { 'aria-required': 'true' }),
    }),
    [id, labelId, described, invalid, required],
  )
}
