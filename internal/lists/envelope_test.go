package lists_test

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"gatehouse/internal/lists"
)

// bodies are answers as services of this kind send them: the records that the rule finds, and what it
// says of further ones.
var bodies = []struct {
	name, body string
	records    string // as one JSON array
	further    lists.Further
	more       bool
}{
	// The service's own.
	{"envelope", `{"Data":[{"Id":1},{"Id":2}],"Message":"Ok.","ResponseInfo":{"ResponseCode":1,"Reference":"x"}}`, `[{"Id":1},{"Id":2}]`, lists.Further{}, false},
	{"envelope without a list", `{"Data":null,"Message":"Ok."}`, `[]`, lists.Further{}, false},
	{"envelope with an empty list", `{"Data":[],"Message":"Ok."}`, `[]`, lists.Further{}, false},
	{"envelope in an envelope", `{"Data":{"Data":[{"Id":1}],"Total":1},"Message":"Ok."}`, `[{"Id":1}]`, lists.Further{Total: "1"}, false},
	{"envelope in an envelope without a list", `{"Data":{"Data":null},"Message":"Ok."}`, `[]`, lists.Further{}, false},
	{"envelope of one share", `{"Data":{"Id":1,"Name":"x","ShareRelations":[]},"Message":"Ok."}`, `[{"Id":1,"Name":"x","ShareRelations":[]}]`, lists.Further{}, false},
	{"envelope with a total", `{"Data":[{"Id":1},{"Id":2},{"Id":3}],"TotalCount":300}`, `[{"Id":1},{"Id":2},{"Id":3}]`, lists.Further{Total: "300"}, true},
	{"a share", `{"Id":1,"Name":"x","ShareRelations":[]}`, `[{"Id":1,"Name":"x","ShareRelations":[]}]`, lists.Further{}, false},
	{"a share with relations", `{"Id":1,"ShareRelations":[{"Id":2}],"ShareIds":[3],"Name":"x"}`, `[{"Id":1,"ShareRelations":[{"Id":2}],"ShareIds":[3],"Name":"x"}]`, lists.Further{}, false},
	{"a share whose name comes last", `{"ShareRelations":[],"Name":"x"}`, `[{"ShareRelations":[],"Name":"x"}]`, lists.Further{}, false},
	{"a thing with items", `{"id":7,"total":12.5,"items":[{"sku":1}]}`, `[{"id":7,"total":12.5,"items":[{"sku":1}]}]`, lists.Further{}, false},
	{"a refusal", `{"Message":"Denied access."}`, `[{"Message":"Denied access."}]`, lists.Further{}, false},
	{"a refusal with a code", `{"Message":"Denied access.","ResponseInfo":{"ResponseCode":0}}`, `[{"Message":"Denied access.","ResponseInfo":{"ResponseCode":0}}]`, lists.Further{}, false},

	// Arrays and lines.
	{"GitHub", `[{"id":1,"topics":[]},{"id":2,"topics":["x"]}]`, `[{"id":1,"topics":[]},{"id":2,"topics":["x"]}]`, lists.Further{}, false},
	{"an empty array", `[]`, `[]`, lists.Further{}, false},
	{"an array in an array", `[[{"id":1}],[]]`, `[[{"id":1}],[]]`, lists.Further{}, false},
	{"World Bank", `[{"page":1,"pages":7},[{"id":"a"}]]`, `[{"page":1,"pages":7},[{"id":"a"}]]`, lists.Further{}, false},
	{"NDJSON", "{\"id\":1,\"tags\":[]}\n{\"id\":2,\"tags\":[]}\n", `[{"id":1,"tags":[]},{"id":2,"tags":[]}]`, lists.Further{}, false},
	{"scalar", `7`, `[7]`, lists.Further{}, false},
	{"null", `null`, `[]`, lists.Further{}, false},
	{"a map of ids to records", `{"a1":{"x":1},"b2":{"x":2}}`, `[{"a1":{"x":1},"b2":{"x":2}}]`, lists.Further{}, false},

	// OData and Microsoft Graph.
	{"OData 4", `{"@odata.context":"c","@odata.count":300,"value":[{"Id":1}]}`, `[{"Id":1}]`, lists.Further{Total: "300"}, true},
	{"OData 4, empty", `{"@odata.context":"c","value":[]}`, `[]`, lists.Further{}, false},
	{"OData 4, one thing", `{"@odata.context":"c","ID":1,"Name":"x","Tags":[]}`, `[{"@odata.context":"c","ID":1,"Name":"x","Tags":[]}]`, lists.Further{}, false},
	{"OData 2", `{"d":{"results":[{"Id":1}],"__count":"3","__next":"https://x/?$skip=1"}}`, `[{"Id":1}]`, lists.Further{Total: "3", Next: true}, true},
	{"OData 2, plain", `{"d":[{"Id":1}]}`, `[{"Id":1}]`, lists.Further{}, false},
	{"OData 2, one thing", `{"d":{"__metadata":{"uri":"x"},"Id":1,"Parts":{"results":[]}}}`, `[{"__metadata":{"uri":"x"},"Id":1,"Parts":{"results":[]}}]`, lists.Further{}, false},
	{"Microsoft Graph", `{"@odata.context":"c","@odata.nextLink":"https://graph/x?$skiptoken=1","value":[{"id":"a"}]}`, `[{"id":"a"}]`, lists.Further{Next: true}, true},
	{"Azure Resource Manager", `{"value":[{"id":"a"}],"nextLink":"https://x"}`, `[{"id":"a"}]`, lists.Further{Next: true}, true},

	// JSON:API, HAL, Hydra, FHIR, JSON-RPC, GraphQL.
	{"JSON:API", `{"data":[{"type":"shares","id":"1","attributes":{"name":"x"}}],"included":[{"id":"9"}],"links":{"self":"a","next":"b"},"meta":{"total":12}}`, `[{"type":"shares","id":"1","attributes":{"name":"x"}}]`, lists.Further{Total: "12", Next: true}, true},
	{"JSON:API, last page", `{"data":[{"id":"1"}],"links":{"self":"a","next":null}}`, `[{"id":"1"}]`, lists.Further{}, false},
	{"JSON:API, one thing", `{"data":{"type":"shares","id":"1","attributes":{"tags":[]}},"links":{"self":"a"}}`, `[{"type":"shares","id":"1","attributes":{"tags":[]}}]`, lists.Further{}, false},
	{"HAL", `{"_embedded":{"orders":[{"_links":{},"id":1}]},"_links":{"self":{"href":"a"},"next":{"href":"b"}},"page":{"size":1,"totalElements":2,"totalPages":2,"number":0}}`, `[{"_links":{},"id":1}]`, lists.Further{Total: "2", Next: true}, true},
	{"HAL, one thing", `{"id":1,"name":"x","_links":{"self":{"href":"a"}},"_embedded":{"lines":[{"id":2}]}}`, `[{"id":1,"name":"x","_links":{"self":{"href":"a"}},"_embedded":{"lines":[{"id":2}]}}]`, lists.Further{}, false},
	{"Hydra", `{"@context":"/c","@id":"/books","@type":"hydra:Collection","hydra:member":[{"@id":"/books/1"}],"hydra:totalItems":1}`, `[{"@id":"/books/1"}]`, lists.Further{}, false},
	{"FHIR", `{"resourceType":"Bundle","type":"searchset","total":2,"link":[{"relation":"self"}],"entry":[{"fullUrl":"a"}]}`, `[{"fullUrl":"a"}]`, lists.Further{Total: "2"}, true},
	{"JSON-RPC", `{"jsonrpc":"2.0","result":[{"hostid":"1"}],"id":1}`, `[{"hostid":"1"}]`, lists.Further{}, false},
	{"GraphQL, edges", `{"data":{"shares":{"edges":[{"node":{"id":1},"cursor":"a"}],"pageInfo":{"hasNextPage":true,"endCursor":"a"},"totalCount":300}}}`, `[{"node":{"id":1},"cursor":"a"}]`, lists.Further{Total: "300", Next: true}, true},
	{"GraphQL, nodes", `{"data":{"shares":{"nodes":[{"id":1}],"pageInfo":{"hasNextPage":false}}}}`, `[{"id":1}]`, lists.Further{}, false},
	{"GraphQL, errors", `{"data":null,"errors":[{"message":"denied"}]}`, `[{"data":null,"errors":[{"message":"denied"}]}]`, lists.Further{}, false},

	// Others.
	{"Google", `{"kind":"drive#fileList","etag":"e","nextPageToken":"t","items":[{"id":"a"}]}`, `[{"id":"a"}]`, lists.Further{Next: true}, true},
	{"Kubernetes", `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"1","continue":""},"items":[{"metadata":{"name":"a"}}]}`, `[{"metadata":{"name":"a"}}]`, lists.Further{}, false},
	{"AWS", `{"Buckets":[{"Name":"a"}],"Owner":{"DisplayName":"x","ID":"y"}}`, `[{"Name":"a"}]`, lists.Further{}, false},
	{"AWS, further page", `{"Users":[{"UserName":"a"}],"IsTruncated":true,"Marker":"m","ResponseMetadata":{"RequestId":"r"}}`, `[{"UserName":"a"}]`, lists.Further{Next: true}, true},
	{"AWS, token", `{"Reservations":[],"NextToken":null}`, `[]`, lists.Further{}, false},
	{"Elasticsearch", `{"took":5,"timed_out":false,"_shards":{"total":1},"hits":{"total":{"value":300,"relation":"eq"},"max_score":1.0,"hits":[{"_id":"1","_source":{"a":1}}]}}`, `[{"_id":"1","_source":{"a":1}}]`, lists.Further{Total: "300"}, true},
	{"Elasticsearch, none", `{"took":5,"timed_out":false,"hits":{"total":{"value":0,"relation":"eq"},"max_score":null,"hits":[]}}`, `[]`, lists.Further{}, false},
	{"Stripe", `{"object":"list","url":"/v1/charges","has_more":true,"data":[{"id":"ch_1","object":"charge"}]}`, `[{"id":"ch_1","object":"charge"}]`, lists.Further{Next: true}, true},
	{"Salesforce", `{"totalSize":1,"done":true,"records":[{"attributes":{},"Id":"a"}]}`, `[{"attributes":{},"Id":"a"}]`, lists.Further{Total: "1"}, false},
	{"Salesforce, further page", `{"totalSize":3000,"done":false,"nextRecordsUrl":"/q","records":[{"Id":"a"}]}`, `[{"Id":"a"}]`, lists.Further{Total: "3000", Next: true}, true},
	{"Spring", `{"content":[{"id":1}],"pageable":{"sort":{"sorted":false},"offset":0},"last":true,"totalPages":1,"totalElements":1,"size":20,"number":0,"sort":[],"first":true,"numberOfElements":1,"empty":false}`, `[{"id":1}]`, lists.Further{Total: "1"}, false},
	{"Django REST framework", `{"count":2,"next":"https://x/?page=2","previous":null,"results":[{"id":1}]}`, `[{"id":1}]`, lists.Further{Total: "2", Next: true}, true},
	{"Django REST framework, last page", `{"count":1,"next":null,"previous":null,"results":[{"id":1}]}`, `[{"id":1}]`, lists.Further{Total: "1"}, false},
	{"GitHub search", `{"total_count":40,"incomplete_results":false,"items":[{"id":1}]}`, `[{"id":1}]`, lists.Further{Total: "40"}, true},
	{"Jira", `{"expand":"names","startAt":0,"maxResults":50,"total":1,"issues":[{"id":"1","key":"A-1"}]}`, `[{"id":"1","key":"A-1"}]`, lists.Further{Total: "1"}, false},
	{"Bitbucket", `{"pagelen":10,"values":[{"uuid":"a"}],"page":1,"size":30,"next":"https://x"}`, `[{"uuid":"a"}]`, lists.Further{Next: true}, true},
	{"Box", `{"total_count":1,"entries":[{"id":"1"}],"offset":0,"limit":100,"order":[{"by":"type"}]}`, `[{"id":"1"}]`, lists.Further{Total: "1"}, false},
	{"Dropbox", `{"entries":[{".tag":"file","name":"a"}],"cursor":"c","has_more":true}`, `[{".tag":"file","name":"a"}]`, lists.Further{Next: true}, true},
	{"Slack", `{"ok":true,"members":[{"id":"U1"}],"cache_ts":1,"response_metadata":{"next_cursor":"x"}}`, `[{"id":"U1"}]`, lists.Further{Next: true}, true},
	{"Slack, refused", `{"ok":false,"error":"invalid_auth"}`, `[{"ok":false,"error":"invalid_auth"}]`, lists.Further{}, false},
	{"HubSpot", `{"results":[{"id":"1"}],"paging":{"next":{"after":"2","link":"x"}}}`, `[{"id":"1"}]`, lists.Further{Next: true}, true},
	{"Zendesk", `{"users":[{"id":1}],"next_page":null,"previous_page":null,"count":1}`, `[{"id":1}]`, lists.Further{Total: "1"}, false},
	{"Shopify", `{"products":[{"id":1,"variants":[]}]}`, `[{"id":1,"variants":[]}]`, lists.Further{}, false},
	{"CKAN", `{"help":"h","success":true,"result":{"count":30,"results":[{"id":"a"}]}}`, `[{"id":"a"}]`, lists.Further{Total: "30"}, true},
	{"Laravel", `{"data":[{"id":1}],"links":{"first":"a","last":"b","prev":null,"next":"c"},"meta":{"current_page":1,"last_page":2,"per_page":1,"total":2,"links":[{"url":null}]}}`, `[{"id":1}]`, lists.Further{Total: "2", Next: true}, true},
	{"GitLab error", `{"message":"401 Unauthorized"}`, `[{"message":"401 Unauthorized"}]`, lists.Further{}, false},
	{"Google error", `{"error":{"code":403,"message":"denied","errors":[{"reason":"x"}]}}`, `[{"error":{"code":403,"message":"denied","errors":[{"reason":"x"}]}}]`, lists.Further{}, false},
	{"errors alone", `{"errors":[{"title":"denied"}]}`, `[{"errors":[{"title":"denied"}]}]`, lists.Further{}, false},
}

func TestTheRecordsOfABodyAreThoseOfTheRule(t *testing.T) {
	for _, tt := range bodies {
		t.Run(tt.name, func(t *testing.T) {
			table := parse(t, tt.body)
			checkBody(t, table, tt.records)
			if further, more := table.Further(); further != tt.further || more != tt.more {
				t.Errorf("further: %+v, %v; want %+v, %v", further, more, tt.further, tt.more)
			}
		})
	}
}

// A body that comes in pieces, or that is not held, has the same records.
func TestTheRuleHoldsHoweverABodyComes(t *testing.T) {
	for _, tt := range bodies {
		t.Run(tt.name, func(t *testing.T) {
			stream := lists.NewStream(-1)
			if _, err := stream.ReadFrom(&oneByOne{[]byte(tt.body)}); err != nil {
				t.Fatal(err)
			}
			checkBody(t, stream.Table(), tt.records)
			outline, err := lists.ReadOutline(strings.NewReader(tt.body), -1)
			if err != nil {
				t.Skip("has to be held: ", err)
			}
			var out bytes.Buffer
			if err := outline.Write(t.Context(), &out, strings.NewReader(tt.body), lists.AsJSON, lists.View{}); err != nil {
				t.Fatal(err)
			}
			checkJSON(t, out.String(), tt.records)
			if further, more := outline.Further(); further != tt.further || more != tt.more {
				t.Errorf("further: %+v, %v; want %+v, %v", further, more, tt.further, tt.more)
			}
		})
	}
}

func checkBody(t *testing.T, table *lists.Table, want string) {
	t.Helper()
	checkJSON(t, writeJSON(t, table), want)
}

func checkJSON(t *testing.T, got, want string) {
	t.Helper()
	var short bytes.Buffer
	if err := json.Compact(&short, []byte(got)); err != nil {
		t.Fatal(err)
	}
	if short.String() != want {
		t.Errorf("records\n%s\nwant\n%s", &short, want)
	}
}

// oneByOne reads a body byte by byte.
type oneByOne struct{ rest []byte }

func (o *oneByOne) Read(p []byte) (int, error) {
	if len(o.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:1], o.rest)
	o.rest = o.rest[n:]
	return n, nil
}
