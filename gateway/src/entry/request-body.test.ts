// The steps and the provider read the same values of a body: duplicate members are refused in every spelling.
import { describe, expect, it } from 'vitest';
import { RequestBody } from './request-body.ts';

const json = (text: string) => new RequestBody(Buffer.from(text), 'application/json');

describe('JSON', () => {
  it.each([
    '{"model":"a","model":"b"}',
    '{"model":"a","\\u006dodel":"b"}',
    '{"messages":[{"content":"seen","content":"unseen"}]}',
  ])('refuses %s', (text) => {
    expect(() => json(text)).toThrow('twice');
  });

  it('accepts equal members of different objects', () => {
    expect(json('{"messages":[{"role":"user"},{"role":"user"}]}').json).not.toBeNull();
  });

  it.each(['[', '{"a":'])('refuses 20,000 times %s without parsing it', (open) => {
    expect(() => json(open.repeat(20_000))).toThrow('nested deeper');
  });

  it.each(['{"a":"', '{"a":"\\x","a":1}', '{"a'])('refuses invalid JSON: %s', (text) => {
    expect(() => json(text)).toThrow('not valid JSON');
  });
});

describe('form', () => {
  const form = (heads: readonly string[]) => {
    const parts = heads.map(
      (head, i) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\nvalue ${i}\r\n`,
    );
    return () =>
      new RequestBody(Buffer.from(`${parts.join('')}--b--\r\n`), 'multipart/form-data; boundary=b');
  };

  it.each([
    [['name="model"', 'name="model"']],
    [['name=model', 'name="model"']],
    [['name="model"', 'name="model"; filename="m"']],
  ])('refuses two models: %j', (heads) => {
    expect(form(heads)).toThrow('"model" twice');
  });

  it('reads the model beside a file', () => {
    const body = form(['filename="name=model"; name="file"', 'name=model', 'name="prompt"'])();
    expect(body.read('model')).toBe('value 1');
  });
});
