import { describe, expect, it } from 'bun:test'
import { skeletonOf } from './confusables.ts'

describe('the skeleton of a name', () => {
  it.each([
    'Root',
    'ROOT',
    'ｒｏｏｔ',
    'ＲＯＯＴ',
    'rооt',
    'гооt',
    'ROОT',
    'RООТ',
    'rοοt',
    'r00t',
    'rооt\uFE0F',
    'ro\u034Fot',
    '𝐫𝐨𝐨𝐭',
    'ⓡⓞⓞⓣ',
    'rօօt',
    'ᏒᎾᎾᎢ'.replaceAll('Ꮎ', 'O'),
  ])('of %s is that of root', (name) => expect(skeletonOf(name)).toBe(skeletonOf('root')))

  it.each(['Admin', 'ADMIN', 'аdmin', 'АDМІN', 'adm1n', 'adrnin', 'admln', 'ａｄｍｉｎ', 'αdmin', 'admіn'])(
    'of %s is that of admin',
    (name) => expect(skeletonOf(name)).toBe(skeletonOf('admin')),
  )

  it.each(['roots', 'rooter', 'toor', 'rót', 'root-2', 'rot', '根', 'админ', 'boot'])(
    'of %s is another than that of root',
    (name) => expect(skeletonOf(name)).not.toBe(skeletonOf('root')),
  )

  it('keeps scripts apart that look like nothing of Latin', () => {
    expect(skeletonOf('管理员')).not.toBe(skeletonOf('管理者'))
    expect(skeletonOf('rené')).not.toBe(skeletonOf('rene'))
  })
})
