// Images are found in the parts of every API.
import { expect, it } from 'vitest';
import { collectImages } from './images.ts';

const DATA = 'QUJD';
const PNG = `data:image/png;base64,${DATA}`;

it.each<[string, object, string]>([
  [
    'OpenAI',
    { type: 'image_url', image_url: { url: 'https://x.example/a' } },
    'https://x.example/a',
  ],
  ['Responses', { type: 'input_image', image_url: PNG }, PNG],
  [
    'Anthropic',
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data: DATA } },
    PNG,
  ],
  [
    'Anthropic by URL',
    { type: 'image', source: { type: 'url', url: 'https://x.example/b' } },
    'https://x.example/b',
  ],
  ['Gemini', { inlineData: { mimeType: 'image/png', data: DATA } }, PNG],
  ['Gemini by file', { file_data: { mime_type: 'image/png', file_uri: 'gs://b/c' } }, 'gs://b/c'],
  ['Converse', { image: { format: 'png', source: { bytes: DATA } } }, PNG],
])('finds an image of %s', (_api, part, url) => {
  expect(collectImages({ messages: [{ content: [{ text: 'x' }, part] }] }, []).parts).toEqual([
    url,
  ]);
});

it('finds images inside texts, and takes no audio for an image', () => {
  const encoded = `data:image/jpeg;base64,${'A'.repeat(20)}`;
  const audio = { inlineData: { mimeType: 'audio/wav', data: DATA } };
  expect(collectImages([audio], [{ text: `a ${encoded} b` }])).toEqual({
    parts: [],
    encoded: [encoded],
  });
});
