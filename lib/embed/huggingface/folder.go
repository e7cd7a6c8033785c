package huggingface

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"cortex/lib/embed/provider"
	"cortex/lib/hint"
	"cortex/lib/safeopen"
	"cortex/lib/shorten"
)

// modelFolder is the folder of a model on disk, as the user names it.
type modelFolder struct {
	provider, path string
}

// openFolder checks that cfg.Model names a folder.
func openFolder(name string, cfg provider.Config) (modelFolder, error) {
	f := modelFolder{name, cfg.Model}
	if f.path == "" {
		return f, hint.Wrap(fmt.Errorf("embedding provider %s needs the folder of a model", name),
			fmt.Sprintf("name it: --provider %s --model FOLDER, CORTEX_EMBEDDING_MODEL=FOLDER, or embedding.model in your own config.yml", name))
	}
	if rest, ok := strings.CutPrefix(f.path, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			f.path = filepath.Join(home, rest)
		}
	}
	info, err := os.Stat(f.path)
	if err == nil && !info.IsDir() {
		err = errors.New("it is not a folder")
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = errors.New("there is no such folder")
	}
	if err != nil {
		return f, hint.Wrap(fmt.Errorf("open model %q: %w", cfg.Model, err),
			fmt.Sprintf("provider %s reads a folder that you have on disk; nothing is downloaded", name))
	}
	return f, nil
}

// has reports whether the folder holds all of the files.
func (f modelFolder) has(names ...string) bool {
	for _, name := range names {
		info, err := os.Stat(filepath.Join(f.path, name))
		if err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}

// read returns the content of a file of at most limit bytes.
func (f modelFolder) read(name string, limit int64) ([]byte, error) {
	path := filepath.Join(f.path, name)
	data, err := safeopen.ReadFile(path, limit)
	var tooLarge *safeopen.SizeError
	switch {
	case errors.Is(err, safeopen.ErrNotRegular):
		return nil, f.fail(name, errors.New("it is not a regular file"))
	case errors.As(err, &tooLarge):
		return nil, f.fail(name, fmt.Errorf("%d bytes, expected at most %d", tooLarge.Size, limit))
	case err != nil:
		return nil, f.fail(name, err)
	}
	return data, nil
}

// parse reads a file of at most limit bytes, passes its content to decode, and returns its digest.
func (f modelFolder) parse(name string, limit int64, decode func(data []byte) error) (sum [sha256.Size]byte, err error) {
	data, err := f.read(name, limit)
	if err != nil {
		return sum, err
	}
	sum = sha256.Sum256(data)
	if err := decode(data); err != nil {
		return sum, f.fail(name, err)
	}
	return sum, nil
}

// fail adds the folder and the name of the file to an error.
func (f modelFolder) fail(name string, err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	if text := err.Error(); len(text) > maxFault {
		// A long error quotes the file.
		err = hint.Wrap(errors.New(shorten.End(text, maxFault)), hint.Of(err))
	}
	return fmt.Errorf("open model %q: %s: %w", f.path, name, err)
}

// maxFault is the greatest length in bytes of an error that may quote a file.
const maxFault = 300

const maxModelCard = 64 << 10

// licence returns the licence in the front matter of the model's card, "" if there is none.
func (f modelFolder) licence() string {
	data, err := f.read("README.md", maxModelCard)
	if err != nil {
		return ""
	}
	head, ok := strings.CutPrefix(strings.ReplaceAll(string(data), "\r\n", "\n"), "---\n")
	if !ok {
		return ""
	}
	head, _, _ = strings.Cut(head, "\n---")
	for line := range strings.Lines(head) {
		if value, ok := strings.CutPrefix(line, "license:"); ok {
			return strings.Trim(value, " \t\n\"'")
		}
	}
	return ""
}

// folderModel names a model by a digest of what determines its vectors, independent of the folder's name.
func folderModel(name string, dims int, sum [sha256.Size]byte) string {
	return name + "-" + strconv.Itoa(dims) + "-" + hex.EncodeToString(sum[:])[:digestLength]
}

// The provider model2vec reads a folder in the format of the model2vec library
// (https://github.com/MinishLab/model2vec): tokenizer.json; model.safetensors with a row for each token, or with fewer
// rows and, for each token, the number of its row (mapping) and its weight (weights); config.json, whose settings do
// not affect the vectors, since all have length 1 here. The vector of a text is the mean of its tokens' rows.
//
// A folder that ExportModel2Vec made has more tensors, which other readers ignore; see there.
const Model2Vec = "model2vec"

// setLength scales a vector to length 1. A vector of zeros becomes the first unit vector.
func setLength(vector []float32) error {
	squares := 0.0
	for _, x := range vector {
		squares += float64(float64(x) * float64(x))
	}
	if math.IsNaN(squares) || math.IsInf(squares, 0) {
		return errors.New("the model's numbers add up to no finite vector")
	}
	if squares == 0 {
		vector[0] = 1
		return nil
	}
	length := math.Sqrt(squares)
	for i, x := range vector {
		vector[i] = float32(float64(x) / length)
	}
	return nil
}

const maxTokenizerFile = 64 << 20

// digestLength is the number of hexadecimal digits of the digest in a model's name.
const digestLength = 16
