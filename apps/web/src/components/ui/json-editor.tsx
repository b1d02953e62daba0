import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { Textarea } from './input.tsx'

/** Why a text is no JSON, or `undefined` when it is (an empty text counts as valid). */
export function jsonProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined
  try {
    JSON.parse(text)
    return undefined
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

/** JSON with two spaces of indentation; a text that is no JSON stays as it is. */
export function prettyJson(text: string): string {
  return text.trim() === '' || jsonProblem(text) !== undefined
    ? text
    : JSON.stringify(JSON.parse(text), null, 2)
}

export interface JsonEditorProps {
  readonly value: string
  readonly onValueChange: (value: string) => void
  /** Filled in by the "example" button when the box is empty. */
  readonly example?: string
  readonly rows?: number
  readonly disabled?: boolean
}

/** JSON as text, checked while typing and put in order when left. */
export function JsonEditor({ value, onValueChange, example, rows = 5, disabled }: JsonEditorProps) {
  const { t } = useTranslation()
  const problem = jsonProblem(value)
  return (
    <div className="flex flex-col gap-1.5">
      <Textarea
        mono
        rows={rows}
        value={value}
        disabled={disabled}
        {...(problem && { 'aria-invalid': true })}
        {...(example && { placeholder: example })}
        onChange={(event) => onValueChange(event.target.value)}
        onBlur={() => onValueChange(prettyJson(value))}
      />
      <div className="flex items-center justify-between gap-3">
        <span className="min-w-0 truncate text-bad text-xs" role="status">
          {problem && t('json.invalid', { problem })}
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
            disabled={disabled || problem !== undefined || value.trim() === ''}
            onClick={() => onValueChange(prettyJson(value))}
          >
            {t('json.format')}
          </Button>
        </span>
      </div>
    </div>
  )
}
