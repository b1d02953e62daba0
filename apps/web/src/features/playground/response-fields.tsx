import { useTranslation } from 'react-i18next'
import { Field } from '../../components/ui/field/field.tsx'
import { Textarea } from '../../components/ui/field/input.tsx'
import { Select } from '../../components/ui/select/select.tsx'
import { responseFormats, schemaFault, toolsFault } from './chat/response-format.ts'
import { type PlaygroundSettings, reasoningEfforts } from './settings.ts'

interface ResponseFieldsProps {
  readonly settings: PlaygroundSettings
  readonly change: (part: Partial<PlaygroundSettings>) => void
}

/** Edits reasoning, format, and the functions that the model may call. */
export function ResponseFields({ settings, change }: ResponseFieldsProps) {
  const { t } = useTranslation('playground')
  const { reasoningEffort, format, tools } = settings
  const schemaProblem = format.type === 'json_schema' ? schemaFault(format.schema) : undefined
  const toolsProblem = toolsFault(tools)
  return (
    <>
      <Field label={t('settings.reasoning')} hint={t('settings.reasoningHint')}>
        <Select
          aria-label={t('settings.reasoning')}
          value={reasoningEffort || modelsOwn}
          onValueChange={(next) =>
            change({ reasoningEffort: reasoningEfforts.find((effort) => effort === next) ?? '' })
          }
          options={([modelsOwn, ...reasoningEfforts] as const).map((value) => ({
            value,
            label: t(`settings.efforts.${value}`),
          }))}
        />
      </Field>
      <Field label={t('settings.format')}>
        <Select
          aria-label={t('settings.format')}
          value={format.type}
          onValueChange={(type) => change({ format: { ...format, type } })}
          options={responseFormats.map((value) => ({ value, label: t(`settings.formats.${value}`) }))}
        />
      </Field>
      {format.type === 'json_schema' && (
        <Field
          label={t('settings.schema')}
          {...(schemaProblem && { error: t(`settings.schemaFaults.${schemaProblem}`) })}
        >
          <Textarea
            mono
            spellCheck={false}
            value={format.schema}
            placeholder={schemaExample}
            onChange={(event) => change({ format: { ...format, schema: event.target.value } })}
          />
        </Field>
      )}
      <Field
        label={t('settings.tools')}
        hint={t('settings.toolsHint')}
        {...(toolsProblem && { error: t(`settings.toolsFaults.${toolsProblem}`) })}
      >
        <Textarea
          mono
          spellCheck={false}
          value={tools}
          placeholder={toolsExample}
          onChange={(event) => change({ tools: event.target.value })}
        />
      </Field>
    </>
  )
}

/** Stands for no wish of the person in the list. */
const modelsOwn = 'own'
const schemaExample = '{"type": "object", "properties": {"city": {"type": "string"}}}'
const toolsExample = '[{"name": "get_weather", "parameters": {"type": "object"}}]'
