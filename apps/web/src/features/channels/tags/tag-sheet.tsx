import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { FormField, FormSheet, TextField, useSaveForm } from '../../../components/form/index.ts'
import { useStops } from '../../../components/stops/index.ts'
import { JsonEditor } from '../../../components/ui/field/json-editor.tsx'
import { MultiSelect } from '../../../components/ui/select/multi-select.tsx'
import { Notice } from '../../../components/ui/tag.tsx'
import { groupsQuery } from '../../../lib/api/account.ts'
import { knownModelsQuery } from '../api.ts'
import type { TagRow } from '../channel-rows.ts'
import { refreshed, updateTag } from '../many/api.ts'
import { useProblemText } from '../problem-text.ts'
import { blankTagForm, type TagForm, tagBody, tagProblems } from './tag-form.ts'

export interface TagSheetProps {
  readonly row: TagRow
  readonly onClose: () => void
}

const mappingExample = JSON.stringify({ 'gpt-4': 'gpt-4o' }, null, 2)

/** Edits all channels of a tag together. */
export function TagSheet({ row, onClose }: TagSheetProps) {
  const { t } = useTranslation('channels')
  const { tag, channels } = row
  const { data: known = [] } = useQuery(knownModelsQuery)
  const { data: groups = [] } = useQuery(groupsQuery)
  const saveForm = useTagForm(tag, onClose)
  const { form } = saveForm
  return (
    <FormSheet
      saveForm={saveForm}
      title={t('tag.title', { tag })}
      description={t('tag.description', { count: channels.length })}
      submitLabel={t('tag.save')}
      onClose={onClose}
    >
      <Notice tone="warn">{t('tag.overwrites')}</Notice>
      <TextField<TagForm> form={form} name="newTag" label={t('field.tag')} hint={t('tag.tagHint')} />
      <FormField<TagForm, readonly string[]> form={form} name="models" label={t('field.models')}>
        {({ value, onChange }) => (
          <MultiSelect
            values={value}
            onValuesChange={onChange}
            options={known}
            placeholder={t('tag.unchanged')}
            creatable
            mono
          />
        )}
      </FormField>
      <FormField<TagForm, readonly string[]> form={form} name="groups" label={t('field.groups')}>
        {({ value, onChange }) => (
          <MultiSelect
            values={value}
            onValuesChange={onChange}
            options={groups}
            placeholder={t('tag.unchanged')}
          />
        )}
      </FormField>
      <FormField<TagForm, string>
        form={form}
        name="modelMapping"
        label={t('field.modelMapping')}
        hint={t('tag.mappingHint')}
      >
        {({ value, onChange }) => (
          <JsonEditor value={value} onValueChange={onChange} example={mappingExample} />
        )}
      </FormField>
      <div className="grid gap-4 sm:grid-cols-2">
        {(['priority', 'weight'] as const).map((name) => (
          <TextField<TagForm>
            key={name}
            form={form}
            name={name}
            label={t(`field.${name}`)}
            input={{ inputMode: 'numeric', placeholder: t('tag.unchanged') }}
          />
        ))}
      </div>
    </FormSheet>
  )
}

function useTagForm(tag: string, onClose: () => void) {
  const { t } = useTranslation('channels')
  const client = useQueryClient()
  const problemText = useProblemText()
  const { ask } = useStops()
  const start = useMemo(() => blankTagForm(tag), [tag])
  return useSaveForm<TagForm, number>({
    start,
    check: (values) =>
      Object.fromEntries(
        Object.entries(tagProblems(values)).map(([name, problem]) => [name, problemText(problem)]),
      ),
    async ask(values) {
      const { models, groups } = tagBody(tag, values) ?? {}
      if (models == null && groups == null) return true
      const lists = { ...(models != null && { models }), ...(groups != null && { group: groups }) }
      const question = { title: t('stops.editTitle', { name: tag }), confirmLabel: t('stops.edit') }
      return await ask({ ids: [], tag, ...lists }, question)
    },
    async save(values) {
      const body = tagBody(tag, values)
      if (body === undefined) throw new Error(problemText('noChanges'))
      return await refreshed(client, updateTag(body))
    },
    onSaved: onClose,
    successMessage: t('toast.tagUpdated'),
  })
}
