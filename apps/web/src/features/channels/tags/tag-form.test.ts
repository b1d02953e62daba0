import { describe, expect, it } from 'bun:test'
import { blankTagForm, tagBody, tagProblems } from './tag-form.ts'

const blank = blankTagForm('eu')

describe('edit of a tag', () => {
  it('sends only what is filled in, and the tag always', () => {
    expect(tagBody('eu', { ...blank, models: ['a', 'b'], priority: '-3' })).toEqual({
      tag: 'eu',
      new_tag: 'eu',
      models: 'a,b',
      priority: -3,
    })
  })

  it('has nothing to send while nothing is set', () => {
    expect(tagBody('eu', blank)).toBeUndefined()
  })

  it('renames, and dissolves by an empty name', () => {
    expect(tagBody('eu', { ...blank, newTag: ' us ' })).toEqual({ tag: 'eu', new_tag: 'us' })
    expect(tagBody('eu', { ...blank, newTag: '' })).toEqual({ tag: 'eu', new_tag: '' })
  })

  it('says what is wrong by field', () => {
    expect(tagProblems({ ...blank, modelMapping: '{', priority: '1.5', weight: '-1' })).toEqual({
      modelMapping: 'modelMapping.notJson',
      priority: 'priorityInvalid',
      weight: 'weightInvalid',
    })
    expect(tagProblems(blank)).toEqual({})
  })
})
